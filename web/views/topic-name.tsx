import { useClient } from '../client/index.ts';
import type { Conversation } from '../model/index.ts';
import { titleOf } from './shown.ts';

/** The title of a conversation; in italics if it stands for a topic without a name. */
export function ConversationTitle({ conversation }: { readonly conversation: Conversation }) {
  const title = titleOf(useClient(), conversation);
  return isUnnamed(conversation) ? <em>{title}</em> : <>{title}</>;
}

/** Whether a conversation is the topic without a name, whose title is in italics. */
export function isUnnamed(conversation: Conversation): boolean {
  return 'topic' in conversation && conversation.topic === '';
}
