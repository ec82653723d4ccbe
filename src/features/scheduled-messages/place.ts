import {
  type Destination,
  InvalidRecipientData,
  InvalidRecipientId,
  MissingTopic,
  normaliseTopic,
  RecipientsMissing,
} from '#features/messages';
import { findUsers } from '#features/users';
import type { Actor } from '#kernel/auth';
import { asId, type ChannelId, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { InvalidChannelIdData } from './errors.ts';
import type { ScheduledRow } from './tables.ts';

/** The target of a scheduled message: a channel, or people. */
export type ScheduledTarget = Pick<ScheduledRow, 'channel_id' | 'recipient_ids'>;
/** The `to` of a request. */
export type Recipients = number | readonly number[];

/** Whether a `type` of the API means a channel. */
export const isChannelType = (type: string): boolean => type === 'channel' || type === 'stream';

/**
 * Parses where a message goes; throws unless the people have accounts. See
 * protocol/saved#checks-of-a-scheduled-message, step 8.
 */
export async function placeOf(
  context: Context,
  actor: Actor,
  isChannel: boolean,
  to: Recipients,
): Promise<ScheduledTarget> {
  if (isChannel) {
    if (typeof to !== 'number') throw InvalidChannelIdData();
    return { channel_id: asId<ChannelId>(to), recipient_ids: [] };
  }
  if (typeof to === 'number') throw InvalidRecipientData();
  if (to.length === 0) throw RecipientsMissing();
  const ids = [...new Set(to.map((id) => asId<UserId>(id)))];
  const known = await context.store.as(actor).query((tx) => findUsers(tx, ids));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw InvalidRecipientId({ id: unknown });
  const others = ids.filter((id) => id !== actor.userId);
  return { channel_id: null, recipient_ids: others.length > 0 ? others : ids };
}

/** The stored topic; empty for direct messages. */
export function topicOf(place: ScheduledTarget, topic: string | undefined): string {
  if (place.channel_id === null) return '';
  if (topic === undefined) throw MissingTopic();
  return normaliseTopic(topic);
}

/** Converts the place to a destination for sending. */
export function destinationOf({
  channel_id,
  recipient_ids,
  topic,
}: ScheduledTarget & Pick<ScheduledRow, 'topic'>): Destination {
  return channel_id === null ? { people: { ids: recipient_ids } } : { channel: { id: channel_id }, topic };
}
