import { prepareSystemMessage, sendPrepared } from '#features/messages';
import { withRealm } from '#features/realms';
import { findActor } from '#features/users';
import { defineJob } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { reminderRemoved } from './events.ts';
import { findPending, settleReminder } from './queries.ts';
import type { ReminderId } from './tables.ts';
import { goneText, reminderText } from './text.ts';

/** Key of a reminder's only job. */
export const keyOf = (id: ReminderId): string => String(id);

/**
 * Delivers a reminder at its time, exactly once: the job ends in the transaction that stores the message. A late
 * reminder is better than none. See protocol/saved#reminders.
 */
export const deliveryJob = defineJob<{ readonly id: ReminderId }, Context>(
  'reminder',
  async ({ id }, { context, realmId, finish }) => {
    const row = await context.store.of(realmId).query((tx) => findPending(tx, id));
    if (!row) return;
    const { realm, owner } = await context.store.of(realmId).query(async (tx) => {
      const own = await withRealm(context, tx);
      return { realm: own.realm, owner: await findActor(own, row.user_id, 'Internal') };
    });
    if (!owner || realm.isDeactivated) {
      await context.store.write((tx) => settleReminder(tx, row, { failed: true }));
      return;
    }
    const text = await context.store.as(owner).query((tx) => reminderText(tx, row));
    const outgoing = await prepareSystemMessage(context, realm, { content: text ?? goneText(realm, row.note) });
    await context.store.of(realmId).write(async (tx) => {
      if (!(await settleReminder(tx, row, { delivered_at: tx.now }))) return;
      await sendPrepared(context, tx, outgoing, { people: { ids: [owner.userId] } });
      tx.emit(reminderRemoved({ reminder_id: id }, { audience: { users: [owner.userId] } }));
      await finish(tx);
    });
  },
);
