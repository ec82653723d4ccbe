import { InvalidMessage, prepareSystemMessage } from '#features/messages';
import { assertRoom, type PersonalTexts } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { cancelJob, enqueue } from '#kernel/jobs';
import { deliveryJob, keyOf } from './delivery.ts';
import { NotInFuture, ReminderMissing } from './errors.ts';
import { reminderAdded, reminderRemoved } from './events.ts';
import { deleteReminder, insertReminder } from './queries.ts';
import type { ReminderId, ReminderRow } from './tables.ts';
import { reminderText } from './text.ts';
import { toWireReminder } from './wire.ts';

const TEXTS: PersonalTexts = {
  table: 'reminder',
  texts: ['content', 'rendered_content', 'note'],
  pending: 'delivered_at',
  name: 'reminders',
};

/** A requested reminder. */
export interface ReminderInput {
  readonly messageId: MessageId;
  /** Seconds since 1970. */
  readonly deliverAt: number;
  readonly note: string;
}

/** Stores a reminder of a message that the actor can read. See protocol/saved#reminders. */
export async function addReminder(
  context: Context,
  actor: Actor,
  { messageId, deliverAt, note }: ReminderInput,
): Promise<ReminderRow> {
  const text = await context.store.as(actor).query((tx) => reminderText(tx, { message_id: messageId, note }));
  if (text === undefined) throw InvalidMessage();
  if (deliverAt <= context.clock.now()) throw NotInFuture();
  const { content, rendered } = await prepareSystemMessage(context, actor.realm, { content: text });
  const { userId } = actor;
  return context.store.as(actor).write(async (tx) => {
    await assertRoom(tx, TEXTS, [[content, rendered.html, note]]);
    const row = await insertReminder(tx, {
      realm_id: actor.realmId,
      user_id: userId,
      message_id: messageId,
      note,
      content,
      rendered_content: rendered.html,
      deliver_at: deliverAt,
    });
    await enqueue(tx, deliveryJob, { id: row.id }, { key: keyOf(row.id), runAt: deliverAt });
    tx.emit(reminderAdded({ reminders: [toWireReminder(row)] }, { audience: { users: [userId] } }));
    return row;
  });
}

/** Deletes a reminder that was not delivered yet. See protocol/saved#reminders. */
export async function removeReminder(context: Context, actor: Actor, id: ReminderId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    if (!(await deleteReminder(tx, id))) throw ReminderMissing();
    await cancelJob(tx, deliveryJob, keyOf(id));
    tx.emit(reminderRemoved({ reminder_id: id }, { audience: { users: [actor.userId] } }));
  });
}
