import { assertMaySend, countHtml, countPeople, MissingTopic, type Outgoing, prepareMessage } from '#features/messages';
import { assertRoom, type PersonalTexts } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { cancelJob, enqueue } from '#kernel/jobs';
import type { RealmWriteTx } from '#kernel/store';
import { deliveryJob, keyOf } from './delivery.ts';
import { NotInFuture, ScheduledMissing } from './errors.ts';
import { scheduledAdded, scheduledRemoved } from './events.ts';
import { destinationOf, isChannelType, placeOf, type Recipients, type ScheduledTarget, topicOf } from './place.ts';
import { deleteScheduled, insertScheduled } from './queries.ts';
import type { ScheduledId, ScheduledRow } from './tables.ts';
import { toWireScheduled } from './wire.ts';

export const TEXTS: PersonalTexts = {
  table: 'scheduled_message',
  texts: ['topic', 'content', 'rendered_content', 'recipient_ids'],
  pending: 'delivered_at',
  name: 'scheduled messages',
};

/** What such a message keeps, of that which is counted. */
export const textsOf = (one: {
  readonly topic: string;
  readonly outgoing: Outgoing;
  readonly place: ScheduledTarget;
}): readonly string[] => [
  one.topic,
  one.outgoing.content,
  one.outgoing.rendered.html,
  JSON.stringify(one.place.recipient_ids),
];

/** A message as a client schedules it. */
export interface ScheduleInput {
  readonly type: string;
  readonly to: Recipients;
  readonly topic: string | undefined;
  readonly content: string;
  /** Seconds since 1970. */
  readonly deliverAt: number;
  readonly isReadBySender: boolean;
}

/**
 * Stores a message for later. Everything but its mentions is checked now and again when it is sent. See
 * protocol/saved#scheduled-messages.
 */
export async function scheduleMessage(context: Context, actor: Actor, input: ScheduleInput): Promise<ScheduledRow> {
  if (input.deliverAt <= context.clock.now()) throw NotInFuture();
  const place = await placeOf(context, actor, isChannelType(input.type), input.to);
  if (place.channel_id !== null && input.topic === undefined) throw MissingTopic();
  const outgoing = await prepareMessage(context, actor, { content: input.content });
  await countHtml(context, outgoing);
  await countPeople(context, actor, { ids: place.recipient_ids });
  const topic = topicOf(place, input.topic);
  return context.store.as(actor).write(async (tx) => {
    await assertMaySend(tx, outgoing, destinationOf({ ...place, topic }));
    await assertRoom(tx, TEXTS, [textsOf({ topic, outgoing, place })]);
    const row = await insertScheduled(tx, {
      realm_id: actor.realmId,
      user_id: actor.userId,
      channel_id: place.channel_id,
      recipient_ids: JSON.stringify(place.recipient_ids),
      topic,
      content: outgoing.content,
      rendered_content: outgoing.rendered.html,
      deliver_at: input.deliverAt,
      is_read_by_sender: input.isReadBySender,
      client: actor.client,
    });
    await deliverLater(tx, row);
    tx.emit(scheduledAdded({ scheduled_messages: [toWireScheduled(row)] }, { audience: { users: [row.user_id] } }));
    return row;
  });
}

/** Schedules a message for its time, and cancels an earlier schedule. */
export async function deliverLater(tx: RealmWriteTx, { id, deliver_at }: ScheduledRow): Promise<void> {
  // Makes a new job instead of changing the old one, which may be running.
  await cancelJob(tx, deliveryJob, keyOf(id));
  await enqueue(tx, deliveryJob, { id }, { key: keyOf(id), runAt: deliver_at });
}

/** Deletes a message that was not sent yet. See protocol/saved#scheduled-messages. */
export async function removeScheduled(context: Context, actor: Actor, id: ScheduledId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    if (!(await deleteScheduled(tx, id))) throw ScheduledMissing();
    await cancelJob(tx, deliveryJob, keyOf(id));
    tx.emit(scheduledRemoved({ scheduled_message_id: id }, { audience: { users: [actor.userId] } }));
  });
}
