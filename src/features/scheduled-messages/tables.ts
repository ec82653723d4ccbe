import type { ChannelId, Id, MessageId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type ScheduledId = Id<'ScheduledMessage'>;

/** Messages to be sent later; delivered ones are kept. */
export const scheduledMessage = table('scheduled_message', {
  id: col.id<ScheduledId>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** Null for direct messages. */
  channel_id: col.refOrNull<ChannelId>(),
  /** The other people of a direct message, or the owner alone; empty for channels. */
  recipient_ids: col.json<readonly UserId[]>(),
  topic: col.text(),
  content: col.text(),
  rendered_content: col.text(),
  /** Seconds since 1970 when it is to be sent. */
  deliver_at: col.int(),
  is_read_by_sender: col.bool(),
  /** Name of the client that scheduled it. */
  client: col.text(),
  failed: col.bool(),
  /** Why it could not be sent; null unless `failed`. */
  failure: col.textOrNull(),
  /** Grows with each change, so that a change based on an older version is detected and repeated. */
  version: col.int(),
  delivered_at: col.intOrNull(),
  /** The message it became. */
  message_id: col.refOrNull<MessageId>(),
});
export type ScheduledRow = SelectOf<typeof scheduledMessage>;

declare module '#kernel/store' {
  interface Tables {
    scheduled_message: RowOf<typeof scheduledMessage>;
  }
}
