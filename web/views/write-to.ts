import { conversationHash } from '../addresses/index.ts';
import type { Client } from '../client/index.ts';
import type { Conversation } from '../model/index.ts';

/** Goes to a conversation, with the focus in its composer. */
export function writeTo(client: Client, conversation: Conversation): void {
  location.hash = conversationHash(conversation, client.names);
  // In the next frame: first the menu or dialog that led here closes, which gives the focus back.
  requestAnimationFrame(() => client.drafts.enter(conversation));
}
