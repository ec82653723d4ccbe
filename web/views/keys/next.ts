import type { Conversation } from '../../model/index.ts';
import type { UnreadConversation } from '../../model/unread.ts';

interface Order {
  readonly isDirect: boolean;
  /** What conversations are ordered by before their topics. */
  readonly name: (conversation: Conversation) => string;
  readonly hashOf: (conversation: Conversation) => string;
  /** The address that one is at. */
  readonly current: string;
}

/** The unread conversation after the one that is open, from the last on to the first; undefined for none. */
export function nextUnread(all: readonly UnreadConversation[], order: Order): Conversation | undefined {
  const own = all
    .map(({ conversation }) => conversation)
    .filter((one) => 'people' in one === order.isDirect)
    .toSorted((a, b) => textOf(a, order).localeCompare(textOf(b, order)));
  const here = own.findIndex((one) => order.current.startsWith(order.hashOf(one)));
  return own[(here + 1) % Math.max(1, own.length)];
}

function textOf(conversation: Conversation, { name }: Order): string {
  return 'people' in conversation ? conversation.people.join(',') : `${name(conversation)} ${conversation.topic}`;
}
