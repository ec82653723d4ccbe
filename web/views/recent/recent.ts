import { foldCase } from '#kernel/text';
import type { Message } from '../../messages/index.ts';
import { type Conversation, conversationOf, type ConversationKey, keyOf } from '../../model/index.ts';

/** A conversation with its newest message. */
export interface RecentConversation {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly newest: Message;
  /** IDs of the senders, the latest first. */
  readonly senders: readonly number[];
}

/** Returns the conversations of some ascending messages, the latest first. */
export function recentConversations(messages: readonly Message[]): readonly RecentConversation[] {
  const found = new Map<ConversationKey, RecentConversation & { readonly senders: number[] }>();
  for (const message of messages.toReversed()) {
    const conversation = conversationOf(message);
    const key = keyOf(conversation);
    const sender = Number(message.sender_id);
    const known = found.get(key);
    if (!known) found.set(key, { key, conversation, newest: message, senders: [sender] });
    else if (!known.senders.includes(sender)) known.senders.push(sender);
  }
  return [...found.values()];
}

export type RecentFilter = 'unread' | 'mine' | 'followed' | 'direct';

/** The facts about a conversation that filters use. */
export interface RecentFacts {
  readonly title: string;
  readonly channel: string;
  readonly unread: number;
  readonly isMine: boolean;
  readonly isFollowed: boolean;
  readonly isDirect: boolean;
  readonly isMuted: boolean;
}

/** Whether all chosen filters match a conversation. A muted one is shown only if a query finds it. */
export function isShown(facts: RecentFacts, filters: ReadonlySet<RecentFilter>, query: string): boolean {
  const words = foldCase(query.trim());
  if (facts.isMuted && words === '') return false;
  if (filters.has('unread') && facts.unread === 0) return false;
  if (filters.has('mine') && !facts.isMine) return false;
  if (filters.has('followed') && !facts.isFollowed) return false;
  if (filters.has('direct') && !facts.isDirect) return false;
  return foldCase(`${facts.title} ${facts.channel}`).includes(words);
}
