import { foldCase } from '#kernel/text';

/**
 * A conversation: a topic of a channel, or the people of a direct conversation in ascending order, including the
 * viewer.
 */
export type Conversation =
  | { readonly channelId: number; readonly topic: string }
  | { readonly people: readonly number[] };

/** A key of a conversation, equal for topics that differ only in case. */
export type ConversationKey = string;

export function keyOf(conversation: Conversation): ConversationKey {
  return 'people' in conversation
    ? `d${conversation.people.join(',')}`
    : `c${conversation.channelId}:${foldCase(conversation.topic)}`;
}

/** The direct conversation of `me` with these people; `me` may be among them. */
export function directWith(people: readonly number[], me: number): { readonly people: readonly number[] } {
  return { people: [...new Set([...people, me])].toSorted((a, b) => a - b) };
}

/** Returns the other people of a direct conversation; `me` in the conversation with oneself. */
export function othersIn({ people }: { readonly people: readonly number[] }, me: number): readonly number[] {
  const others = people.filter((id) => id !== me);
  return others.length > 0 ? others : [me];
}

/** The fields of a message that say which conversation it is in. */
export interface Placed {
  readonly stream_id?: number | undefined;
  readonly subject: string;
  readonly display_recipient: string | readonly { readonly id: number }[];
}

export function conversationOf(message: Placed): Conversation {
  const { stream_id, subject, display_recipient } = message;
  if (stream_id !== undefined) return { channelId: stream_id, topic: subject };
  const people = typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id);
  return { people: people.toSorted((a, b) => a - b) };
}
