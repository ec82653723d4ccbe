import type { ChannelId, UserId } from '#kernel/ids';
import { anyOf, bool, idOf, list, literal, object, type SchemaOf, str, timestamp } from '#kernel/schema';
import type { ScheduledId, ScheduledRow } from './tables.ts';

const common = {
  scheduled_message_id: idOf<ScheduledId>(),
  content: str(),
  rendered_content: str(),
  scheduled_delivery_timestamp: timestamp(),
  failed: bool(),
};

/** A scheduled message as clients see it. See protocol/saved#scheduled-messages. */
export const wireScheduled = anyOf(
  object({ ...common, type: literal('stream'), to: idOf<ChannelId>(), topic: str() }),
  object({ ...common, type: literal('private'), to: list(idOf<UserId>()) }),
).meta({ id: 'ScheduledMessage' });
export type WireScheduled = SchemaOf<typeof wireScheduled>;

export function toWireScheduled(row: ScheduledRow): WireScheduled {
  const { id, channel_id, recipient_ids, topic, content, rendered_content, deliver_at, failed } = row;
  const shown = {
    scheduled_message_id: id,
    content,
    rendered_content,
    scheduled_delivery_timestamp: deliver_at,
    failed,
  };
  return channel_id === null
    ? { ...shown, type: 'private', to: [...recipient_ids] }
    : { ...shown, type: 'stream', to: channel_id, topic };
}
