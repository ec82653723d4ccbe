import type { Message } from '../../messages/index.ts';
import { conversationOf, type ConversationKey, keyOf } from '../../model/index.ts';
import type { OutboxEntry } from '../../sync/index.ts';

/** A row of a feed. Its key identifies what the row shows. */
export type FeedItem =
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'bar'; readonly key: string; readonly message: Message }
  | { readonly kind: 'unread'; readonly key: string; readonly count: number; readonly at: number }
  | { readonly kind: 'message'; readonly key: string; readonly id: number; readonly isFirst: boolean }
  | { readonly kind: 'entry'; readonly key: string; readonly entry: OutboxEntry };

interface FeedOptions {
  /** Whether topics have title bars, as in feeds of several topics. */
  readonly hasBars: boolean;
  readonly dayOf: (timestamp: number) => string;
  /** ID of the first message below the unread line; undefined for no line. */
  readonly unreadFrom: number | undefined;
}

/** Longest time between messages of one sender in a group, in seconds. */
const GROUP_SECONDS = 600;

/** Builds the rows of a feed: dates, topic bars, the unread line, grouped messages, and unsent messages. */
export function feedItems(
  messages: readonly Message[],
  entries: readonly OutboxEntry[],
  { hasBars, dayOf, unreadFrom }: FeedOptions,
): readonly FeedItem[] {
  const items: FeedItem[] = [];
  let before: { readonly message: Message; readonly day: string; readonly place: ConversationKey } | undefined;
  for (const message of messages) {
    const day = dayOf(message.timestamp);
    const place = placeOf(message);
    const count = items.length;
    if (before?.day !== day) items.push({ kind: 'day', key: `day${day}-${message.id}`, at: message.timestamp });
    if (hasBars && before?.place !== place) items.push({ kind: 'bar', key: `bar${message.id}`, message });
    if (message.id === unreadFrom)
      items.push({ kind: 'unread', key: 'unread', count: unreadCount(messages, message.id), at: message.timestamp });
    const isFirst =
      items.length > count ||
      message.sender_id !== before?.message.sender_id ||
      message.is_me_message ||
      message.timestamp - before.message.timestamp > GROUP_SECONDS;
    items.push({ kind: 'message', key: `m${message.id}`, id: message.id, isFirst });
    before = { message, day, place };
  }
  return [...items, ...entries.map((entry) => ({ kind: 'entry' as const, key: `e${entry.localId}`, entry }))];
}

/** Cached by message object; a changed message is a new object. */
const places = new WeakMap<Message, ConversationKey>();

function placeOf(message: Message): ConversationKey {
  const known = places.get(message) ?? keyOf(conversationOf(message));
  places.set(message, known);
  return known;
}

function unreadCount(messages: readonly Message[], from: number): number {
  return messages.filter(({ id }) => id >= from).length;
}
