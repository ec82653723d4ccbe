import { foldCase } from '#kernel/text';

/** Where messages stand: a topic of a channel, or the people who talk, oneself among them; ascending. */
export type Conversation =
  | { readonly channelId: number; readonly topic: string }
  | { readonly people: readonly number[] };

/** A name of a conversation: the same for topics that differ in letter case only. */
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

/** Who else takes part in a direct conversation; oneself in that with oneself. */
export function othersIn({ people }: { readonly people: readonly number[] }, me: number): readonly number[] {
  const others = people.filter((id) => id !== me);
  return others.length > 0 ? others : [me];
}

/** What of a message says where it stands. */
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
