import { conversationHash } from '../addresses/index.ts';
import type { Client } from '../client/index.ts';
import type { Conversation } from '../model/index.ts';
import { expectField } from './keys/early.ts';

/** Goes to a conversation, with the focus in its composer. */
export function writeTo(client: Client, conversation: Conversation): void {
  location.hash = conversationHash(conversation, client.names);
  // After the menu or dialog that led here has closed and given the focus back, but before the next key is pressed.
  queueMicrotask(() => client.drafts.enter(conversation) || expectField());
}
