import { prepareSystemMessage, sendPrepared } from '#features/messages';
import { readRealm, realmRefOf } from '#features/realms';
import { actorOf, findUser } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { RealmId } from '#kernel/ids';
import { defineJob } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { reminderRemoved } from './events.ts';
import { findPending, settleReminder } from './queries.ts';
import type { ReminderId, ReminderRow } from './tables.ts';
import { goneText, reminderText } from './text.ts';

/** Name of the one job that a reminder has. */
export const keyOf = (id: ReminderId): string => String(id);

/**
 * Reminds somebody at their time, exactly once: the job ends in the transaction that stores the message. A late reminder
 * is better than none. See protocol/saved#reminders.
 */
export const deliveryJob = defineJob<{ readonly id: ReminderId }, Context>(
  'reminder',
  async ({ id }, { context, realmId, finish }) => {
    const row = await context.store.of(realmId).query((tx) => findPending(tx, id));
    if (!row) return;
    const { realm, owner } = await peopleOf(context, realmId, row);
    if (!owner || realm.isDeactivated) {
      await context.store.write((tx) => settleReminder(tx, row, { failed: true }));
      return;
    }
    const text = await context.store.as(owner).query((tx) => reminderText(tx, context, row.message_id, row.note));
    const outgoing = await prepareSystemMessage(context, realm, text ?? goneText(row.note));
    await context.store.of(realmId).write(async (tx) => {
      if (!(await settleReminder(tx, row, { delivered_at: tx.now }))) return;
      await sendPrepared(context, tx, outgoing, { people: { ids: [owner.userId] } });
      tx.emit(reminderRemoved(realmId, { reminder_id: id }, { audience: { users: [owner.userId] } }));
      await finish(tx);
    });
  },
);

/** The owner of a reminder as they are today; undefined when their account has ended. */
async function peopleOf(context: Context, realmId: RealmId, { user_id }: ReminderRow) {
  return context.store.of(realmId).query(async (tx) => {
    const realm = realmRefOf(await readRealm(tx));
    const row = await findUser(tx, user_id);
    const owner: Actor | undefined = row?.is_active
      ? { ...actorOf(row, realm, context.clock.now()), client: 'Internal' }
      : undefined;
    return { realm, owner };
  });
}
