import type { ChannelId, DeliveryId, GroupId, MessageId, RealmId, RecipientId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Flags that are stored as one row each. */
export type StoredFlag =
  | 'starred'
  | 'collapsed'
  | 'mentioned'
  | 'topic_wildcard_mentioned'
  | 'has_alert_word'
  | 'historical'
  | 'delivered';

/** A link made from a topic's name. */
export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

/** One change of a message, as it is stored; members are absent where nothing changed. See protocol/editing#history. */
export interface StoredEdit {
  readonly user_id: UserId | null;
  readonly timestamp: number;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: ChannelId;
  readonly stream?: ChannelId;
}

/** Messages: one row each, no matter how many people receive it. */
export const message = table('message', {
  id: col.id<MessageId>(),
  realm_id: col.ref<RealmId>(),
  sender_id: col.ref<UserId>(),
  recipient_id: col.ref<RecipientId>(),
  /** Null for direct messages. */
  channel_id: col.refOrNull<ChannelId>(),
  /** As written; empty for direct messages and for the unnamed topic. */
  topic: col.text(),
  topic_key: col.text(),
  content: col.text(),
  rendered_content: col.text(),
  sent_at: col.int(),
  client: col.text(),
  is_me_message: col.bool(),
  has_attachment: col.bool(),
  has_image: col.bool(),
  has_link: col.bool(),
  /** Has a loud mention of everybody in the channel or conversation. */
  mentions_channel: col.bool(),
  /** Has rows in `message_group_mention`. */
  mentions_groups: col.bool(),
  topic_links: col.json<readonly TopicLink[]>(),
  /** Newest first; null when never changed. */
  edit_history: col.jsonOrNull<readonly StoredEdit[]>(),
  /** Seconds since 1970 of the last change of content, and of the last move. */
  last_edit_at: col.intOrNull(),
  last_moved_at: col.intOrNull(),
  /** The delivery by which people have it who did not receive it through a subscription to its channel. */
  delivery_id: col.refOrNull<DeliveryId>(),
});
export type MessageRow = SelectOf<typeof message>;

/** A message without its texts and its history, which may be long. */
export type MessageHead = Omit<MessageRow, 'content' | 'rendered_content' | 'topic_links' | 'edit_history'>;

/**
 * Ranges of messages that users have read: all messages of the conversation with IDs from first to last. Intervals of
 * one user and conversation never overlap; one that ends at the newest message grows with the next.
 */
export const readInterval = table('read_interval', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  recipient_id: col.ref<RecipientId>(),
  first_id: col.int(),
  last_id: col.int(),
});
export type ReadIntervalRow = SelectOf<typeof readInterval>;

/**
 * Flags of messages by user, one row each, for the few messages that have any. `historical`: never received, but
 * starred or reacted to later; `delivered`: received outside any subscription period (a bot that was mentioned). Both
 * count as received. Messages that were moved have deliveries instead.
 */
export const messageFlag = table('message_flag', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  flag: col.text<StoredFlag>(),
  message_id: col.ref<MessageId>(),
});

/**
 * Messages that were moved to a conversation together, and received by people outside any subscription period there. A
 * message belongs to its newest delivery only, and leaves it where it moves on. See decision 0051.
 */
export const delivery = table('delivery', {
  id: col.id<DeliveryId>(),
  realm_id: col.ref<RealmId>(),
  recipient_id: col.ref<RecipientId>(),
});

/**
 * Which messages of a delivery a user received: all of them with IDs from first to last. Rows of one user never
 * overlap.
 */
export const deliveredUser = table('delivered_user', {
  realm_id: col.ref<RealmId>(),
  delivery_id: col.ref<DeliveryId>(),
  user_id: col.ref<UserId>(),
  first_id: col.int(),
  last_id: col.int(),
});
export type DeliveredRow = SelectOf<typeof deliveredUser>;

/** Groups that a message mentions loudly; their members are looked up when somebody reads the message. */
export const messageGroupMention = table('message_group_mention', {
  realm_id: col.ref<RealmId>(),
  message_id: col.ref<MessageId>(),
  group_id: col.ref<GroupId>(),
});

/** Parts of polls and to-do lists, oldest first; the first makes the widget. */
export const submessage = table('submessage', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  message_id: col.ref<MessageId>(),
  sender_id: col.ref<UserId>(),
  msg_type: col.text(),
  content: col.text(),
});
export type SubmessageRow = SelectOf<typeof submessage>;

/** Hashes of the idempotency keys of recent sends, by which a message that is sent again is recognized. */
export const idempotencyKey = table('idempotency_key', {
  key_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  message_id: col.ref<MessageId>(),
  sent_at: col.int(),
});
export type IdempotencyKeyRow = SelectOf<typeof idempotencyKey>;

declare module '#kernel/store' {
  interface Tables {
    message: RowOf<typeof message>;
    read_interval: RowOf<typeof readInterval>;
    message_flag: RowOf<typeof messageFlag>;
    delivery: RowOf<typeof delivery>;
    delivered_user: RowOf<typeof deliveredUser>;
    message_group_mention: RowOf<typeof messageGroupMention>;
    submessage: RowOf<typeof submessage>;
    idempotency_key: RowOf<typeof idempotencyKey>;
  }
}
