import { loadRealm } from '#features/realms';
import type { MessageHead, MessageRow } from '#features/messages';
import {
  aboutRealm,
  type DeviceRow,
  isTransient,
  MAX_PARCELS,
  type Parcel,
  type Pending,
  type TokenRow,
} from '#features/push-devices';
import { hasSubscriptions } from '#features/push-subscriptions';
import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { defineJob, enqueue, type JobKind } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { inChunks, type RealmWriteTx } from '#kernel/store';
import { findMessage } from '../decide.ts';
import { loadFor, type Recipient, type Removal, type Showing } from './parcels.ts';
import { insertPushed, pushedAmong } from './queries.ts';
import { type Again, MAX_TRIES, openRoad, pauseAfter, type Road, sealedRoad } from './again.ts';
import { pendingAmong } from './pending.ts';
import { defineShowingOnOlder } from './show-older.ts';
import { olderBase, olderRemoved } from './older.ts';
import { defineShowingOnWeb, removeFromWebJob } from './web.ts';

/** Most people of one job. */
const PEOPLE_PER_JOB = 100;
/**
 * Most messages that one notification removes: Apple's and Google's services limit a notification to four kilobytes.
 */
const MAX_REMOVED = 200;

/** The people a message is pushed to, by the kind of their apps; people with several kinds are in each. */
export interface Audience {
  readonly sealed: readonly Recipient[];
  readonly open: readonly Recipient[];
  /** People with browsers or UnifiedPush apps. */
  readonly web: readonly Recipient[];
}

/** Shows a message on the phones of some people. */
export const showJob = defineShowing();
export const showOlderJob = defineShowingOnOlder(removeWhatWasRead);
/** Shows a message in the browsers and UnifiedPush apps of some people. */
export const showOnWebJob = defineShowingOnWeb(removeWhatWasRead);

/**
 * Each job makes one request to the push service, so that its failure does not affect other devices. After a crash or a
 * lost answer the request is repeated, up to the attempts of a job. Devices that the service could not serve are tried
 * again by themselves.
 */
function defineShowing(): JobKind<Showing & Again, Context> {
  const job: JobKind<Showing & Again, Context> = defineJob(
    'push-notification',
    async ({ only, tries = 0, ...showing }: Showing & Again, { context, realmId, finish }) => {
      const { message_id, people } = showing;
      const message = context.pushGateway && (await findMessage(context, realmId, message_id));
      const load = message && (await loadFor(context, limitedTo(only), message, showing));
      const left = load
        ? await send(context, realmId, sealedRoad, {
            parcels: load.parcels,
            pending: pendingAmong(
              context,
              message,
              load.parcels.map(({ device }) => device.user_id),
            ),
          })
        : [];
      await context.store.of(realmId).write(async (tx) => {
        await finish(tx);
        if (left.length > 0 && tries + 1 < MAX_TRIES) {
          const runAt = tx.now + pauseAfter(context.clock, tries);
          const rest = { ...showing, after: 0, only: left, tries: tries + 1 };
          await enqueue(tx, job, rest, { runAt });
        }
        if (load?.next !== undefined) await enqueue(tx, job, { ...showing, after: load.next });
        else if (message) await removeWhatWasRead(context, tx, message, people);
      });
    },
    'phones',
  );
  return job;
}

/** The way to all phones, or only to those that are left. */
function limitedTo(only: readonly number[] | undefined): typeof sealedRoad {
  const { devices } = sealedRoad;
  if (!only) return sealedRoad;
  return {
    ...sealedRoad,
    devices: (tx, ids, page = { after: 0, limit: MAX_PARCELS }) => devices(tx, ids, { ...page, only }),
  };
}

/** Removes messages from somebody's phones; idempotent. */
export const removeJob = defineJob<Removal, Context>(
  'push-removal',
  async ({ user_id, message_ids }, { context, realmId }) => {
    if (!context.pushGateway) return;
    const realm = await loadRealm(context, realmId);
    const sealed = { type: 'remove', ...aboutRealm(realm), user_id, message_ids };
    const older = olderRemoved(olderBase(context, realm, user_id), message_ids);
    const remove = async <D extends DeviceRow | TokenRow>(road: Road<D>) => {
      const devices = await context.store.of(realmId).query((tx) => road.devices(tx, [user_id]));
      const payload = road.isOpen ? older : sealed;
      const parcels = devices.map((device): Parcel<D> => ({ device, payload, priority: 'normal' }));
      for (const chunk of inChunks(parcels, MAX_PARCELS)) {
        const left = await send(context, realmId, road, { parcels: chunk });
        if (left.length > 0) throw new Error('the push service could not reach some phones');
      }
    };
    await remove(sealedRoad);
    await remove(openRoad);
  },
  'phones',
);

/** Queues the notification of a message for these people, in the transaction that decided to; nobody gets it twice. */
export async function showLater(tx: RealmWriteTx, message: MessageHead, audience: Audience): Promise<void> {
  const { sealed, open, web } = audience;
  const ids = [...new Set([...sealed, ...open, ...web].map(([userId]) => userId))];
  const added = await insertPushed(tx, message, ids);
  const queue = async (job: JobKind<Showing, Context>, people: readonly Recipient[]) => {
    const fresh = people.filter(([userId]) => added.has(userId));
    for (const chunk of inChunks(fresh, PEOPLE_PER_JOB))
      await enqueue(tx, job, { message_id: message.id, people: chunk, after: 0 });
  };
  await queue(showJob, sealed);
  await queue(showOlderJob, open);
  await queue(showOnWebJob, web);
}

/** Queues the removal of notifications, in the transaction that found the messages deleted or read. */
export async function removeLater(
  context: Context,
  tx: RealmWriteTx,
  shown: readonly { readonly user_id: UserId; readonly message_id: MessageId }[],
): Promise<void> {
  const jobs = [
    ...(context.pushGateway ? [removeJob] : []),
    ...((await hasSubscriptions(tx)) ? [removeFromWebJob] : []),
  ];
  const byUser = grouped(shown.map((row) => [row.user_id, row.message_id]));
  for (const [user_id, ids] of byUser)
    for (const message_ids of inChunks(ids, MAX_REMOVED))
      for (const job of jobs) await enqueue(tx, job, { user_id, message_ids });
}

/** Sends parcels and returns the devices that are left; throws if trying all of them again may help. */
async function send<D extends DeviceRow | TokenRow>(
  context: Context,
  realmId: RealmId,
  road: Road<D>,
  { parcels, pending }: { readonly parcels: readonly Parcel<D>[]; readonly pending?: Pending },
): Promise<readonly number[]> {
  if (parcels.length === 0) return [];
  const { answer, left } = await road.send(context, realmId, parcels, pending);
  if (isTransient(answer)) throw new Error('the push service did not take notifications');
  if (answer.kind === 'refused')
    context.log
      .room('push')
      .warn({ status: answer.status, code: answer.code }, 'the push service refused notifications');
  return left.map(({ id }) => id);
}

/**
 * Removes a message that was read while its notification was on its way; otherwise it would stay on the phone forever.
 */
async function removeWhatWasRead(
  context: Context,
  tx: RealmWriteTx,
  message: MessageRow,
  people: readonly Recipient[],
): Promise<void> {
  const ids = people.map(([userId]) => userId);
  const pushed = await pushedAmong(tx, message, ids);
  const gone = ids.filter((id) => !pushed.has(id)).map((user_id) => ({ user_id, message_id: message.id }));
  await removeLater(context, tx, gone);
}
