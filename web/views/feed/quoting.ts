import { conversationHash } from '../../addresses/index.ts';
import type { Client } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { faceOf } from '../shown.ts';

interface Quoted {
  readonly name: string;
  readonly id: number;
  /** The full address of the message. */
  readonly link: string;
  /** The message's Markdown source. */
  readonly content: string;
}

/** Formats a quotation: sender, link, and the source within a fence longer than any in it. */
export function quoteOf({ name, id, link, content }: Quoted): string {
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `@_**${name}|${id}** [said](${link}):\n${fence}quote\n${content}\n${fence}\n`;
}

/** Returns the full address of a message. */
export function addressOf(client: Client, message: Message): string {
  const hash = conversationHash(conversationOf(message), client.names, message.id);
  return new URL(hash, location.origin + location.pathname).href;
}

/** Fetches the Markdown source of a message. */
export async function sourceOf({ api }: Client, message: Message): Promise<string> {
  return (await api.call('GET', '/messages/{message_id}', { message_id: message.id })).raw_content ?? '';
}

/** Fetches a message as a quotation. */
export async function quoted(client: Client, message: Message): Promise<string> {
  const content = await sourceOf(client, message);
  const { name } = faceOf(client, message.sender_id);
  return quoteOf({ name, id: message.sender_id, link: addressOf(client, message), content });
}
