import { isTransient, sendToOlder } from '#features/push-devices';
import type { Context } from '#kernel/context';
import { defineJob, enqueue, type JobKind } from '#kernel/jobs';
import { findMessage } from '../decide.ts';
import { type Again, MAX_TRIES, openRoad, pauseAfter } from './again.ts';
import { loadFor, type Showing } from './parcels.ts';
import { pendingAmong } from './pending.ts';
import type { Shown } from './web.ts';

/**
 * Shows a message in older apps. The push service wants one request per person; people who were not reached are tried
 * again by a separate job, so that nobody is notified twice because of others.
 */
export function defineShowingOnOlder(shown: Shown): JobKind<Showing & Again, Context> {
  const job: JobKind<Showing & Again, Context> = defineJob(
    'push-notification-older',
    async ({ only, tries = 0, ...showing }: Showing & Again, { context, realmId, finish }) => {
      const { message_id, people } = showing;
      const message = context.pushGateway && (await findMessage(context, realmId, message_id));
      const load = message && (await loadFor(context, openRoad, message, showing));
      const parcels = (load?.parcels ?? []).filter(({ device }) => only?.includes(device.id) ?? true);
      const pending =
        message && pendingAmong(context, message, [...new Set(parcels.map(({ device }) => device.user_id))]);
      const results = await sendToOlder(context, realmId, parcels, { isRest: only !== undefined, pending });
      for (const { answer } of results.slice(0, 1))
        if (answer.kind === 'refused')
          context.log
            .room('push')
            .warn({ status: answer.status, code: answer.code }, 'the push service refused notifications');
      const unheard = new Set(results.filter(({ answer }) => isTransient(answer)).map(({ userId }) => userId));
      const left = results.flatMap((result) => result.left);
      await context.store.of(realmId).write(async (tx) => {
        await finish(tx);
        const again = (of: ReadonlySet<unknown>, rest: Again) => {
          const left = people.filter(([userId]) => of.has(userId));
          if (left.length === 0 || tries + 1 >= MAX_TRIES) return;
          const runAt = tx.now + pauseAfter(context.clock, tries);
          return enqueue(tx, job, { ...showing, ...rest, people: left, tries: tries + 1 }, { runAt });
        };
        await again(unheard, only ? { only } : {});
        await again(new Set(left.map(({ user_id }) => user_id)), { only: left.map(({ id }) => id) });
        if (message)
          await shown(
            context,
            tx,
            message,
            people.filter(([userId]) => !unheard.has(userId)),
          );
      });
    },
    'phones',
  );
  return job;
}
