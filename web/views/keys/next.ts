import type { Conversation } from '../../model/index.ts';
import type { UnreadConversation } from '../../model/unread.ts';
import { compareNames } from '../../words/index.ts';

interface Order {
  readonly isDirect: boolean;
  /** Returns the name by which conversations are sorted before their topics. */
  readonly name: (conversation: Conversation) => string;
  readonly hashOf: (conversation: Conversation) => string;
  /** The current address. */
  readonly current: string;
}

/** Returns the next unread conversation after the open one, in a circle; undefined for none. */
export function nextUnread(all: readonly UnreadConversation[], order: Order): Conversation | undefined {
  const own = all
    .map(({ conversation }) => conversation)
    .filter((one) => 'people' in one === order.isDirect)
    .toSorted((a, b) => compareNames(textOf(a, order), textOf(b, order)));
  const here = own.findIndex((one) => order.current.startsWith(order.hashOf(one)));
  return own[(here + 1) % Math.max(1, own.length)];
}

function textOf(conversation: Conversation, { name }: Order): string {
  return 'people' in conversation ? conversation.people.join(',') : `${name(conversation)} ${conversation.topic}`;
}
