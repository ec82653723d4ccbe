import { assertMaySend, countHtml, countPeople, type Outgoing, prepareMessage } from '#features/messages';
import { assertRoom } from '#features/users';
import type { Actor, ActorReadTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { deliverLater, TEXTS, textsOf } from './actions.ts';
import {
  AlreadySent,
  NothingToChange,
  NotInFuture,
  RecipientRequired,
  ScheduledMissing,
  TopicRequired,
} from './errors.ts';
import { scheduledUpdated } from './events.ts';
import { destinationOf, isChannelType, placeOf, type Recipients, topicOf } from './place.ts';
import { findScheduled, setScheduled } from './queries.ts';
import type { ScheduledId, ScheduledRow } from './tables.ts';
import { toWireScheduled } from './wire.ts';

/** The changes to a scheduled message; undefined members stay. See protocol/saved#editing-a-scheduled-message. */
export interface ScheduledChanges {
  readonly scheduled_message_id: ScheduledId;
  readonly type: string | undefined;
  readonly to: Recipients | undefined;
  readonly topic: string | undefined;
  readonly content: string | undefined;
  /** Seconds since 1970. */
  readonly deliverAt: number | undefined;
}

/**
 * Changes a message that is still to be sent; a failed one gets another attempt. See
 * protocol/saved#editing-a-scheduled-message.
 */
export async function updateScheduled(context: Context, actor: Actor, changes: ScheduledChanges): Promise<void> {
  assertSensible(changes, context.clock.now());
  // A simultaneous change is not overwritten: everything is checked again on top of it.
  for (let isDone = false; !isDone; ) {
    const row = await context.store.as(actor).query((tx) => accessChangeable(tx, changes));
    isDone = await change(context, actor, row, changes);
  }
}

/** Checks 1 to 4. */
function assertSensible({ type, to, topic, content, deliverAt }: ScheduledChanges, now: number): void {
  if ([type, to, topic, content, deliverAt].every((value) => value === undefined)) throw NothingToChange();
  if (type !== undefined && to === undefined) throw RecipientRequired();
  if (type !== undefined && isChannelType(type) && topic === undefined) throw TopicRequired();
  if (deliverAt !== undefined && deliverAt <= now) throw NotInFuture();
}

/** Checks 5 to 7. */
async function accessChangeable(
  tx: ActorReadTx,
  { scheduled_message_id: id, deliverAt }: ScheduledChanges,
): Promise<ScheduledRow> {
  const row = await findScheduled(tx, id);
  if (row?.user_id !== tx.actor.userId) throw ScheduledMissing();
  if (row.delivered_at !== null) throw AlreadySent();
  if (row.failed && deliverAt === undefined) throw NotInFuture();
  return row;
}

/** Check 8 and the change; returns false if the row has changed in the meantime. */
async function change(context: Context, actor: Actor, row: ScheduledRow, changes: ScheduledChanges): Promise<boolean> {
  const { isWhole, place, topic, outgoing } = await planned(context, actor, row, changes);
  return context.store.as(actor).write(async (tx) => {
    if (isWhole) await assertMaySend(tx, outgoing, destinationOf({ ...place, topic }));
    await assertRoom(tx, TEXTS, [textsOf({ topic, outgoing, place })], row.id);
    const after = await setScheduled(tx, row, {
      channel_id: place.channel_id,
      recipient_ids: JSON.stringify(place.recipient_ids),
      topic,
      content: outgoing.content,
      rendered_content: outgoing.rendered.html,
      deliver_at: changes.deliverAt ?? row.deliver_at,
      failed: false,
      failure: null,
    });
    if (!after) return false;
    await deliverLater(tx, after);
    const audience = { users: [actor.userId] };
    tx.emit(scheduledUpdated({ scheduled_message: toWireScheduled(after) }, { audience }));
    return true;
  });
}

/** The message after the change. Its text is always rendered again, because what it mentions may have been renamed. */
async function planned(context: Context, actor: Actor, row: ScheduledRow, changes: ScheduledChanges) {
  const { type, to, content } = changes;
  const isChannel = type === undefined ? row.channel_id !== null : isChannelType(type);
  const place = to === undefined ? row : await placeOf(context, actor, isChannel, to);
  const outgoing: Outgoing = await prepareMessage(context, actor, { content: content ?? row.content });
  await countHtml(context, outgoing);
  await countPeople(context, actor, { ids: place.recipient_ids });
  const isWhole = [type, to, content].some((value) => value !== undefined);
  return { isWhole, place, topic: topicOf(place, changes.topic ?? row.topic), outgoing };
}
