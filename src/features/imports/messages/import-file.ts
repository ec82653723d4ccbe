import { topicLinker } from '#features/rendering';
import { type Entry, Tables } from '../entry.ts';
import { nameUnknownFields } from '../unknown.ts';
import type { Gathered } from './gathered.ts';
import { type Filling, prepare, type Prepared } from './prepare.ts';
import { storeMessages } from './store.ts';

/** The messages of a file, ready to be stored with what people have of them. */
interface PreparedFile {
  readonly messages: readonly Prepared[];
  readonly userMessages: readonly Entry[];
}

/** Reads and renders the messages of one file. */
export async function prepareMessageFile(filling: Filling, file: string, value: unknown): Promise<PreparedFile> {
  const tables = new Tables(file, value);
  nameUnknownFields(tables, 'zerver_message', filling.plan.report);
  const linkTopic = await topicLinker(filling.context, filling.realm);
  const messages: Prepared[] = [];
  for (const entry of tables.rows('zerver_message')) {
    const one = await prepare(filling, entry, linkTopic);
    if (one) messages.push(one);
  }
  return { messages, userMessages: tables.rows('zerver_usermessage') };
}

/** Stores the messages of one file. */
export async function storeMessageFile(
  filling: Filling,
  gathered: Gathered,
  { messages, userMessages }: PreparedFile,
): Promise<void> {
  await filling.context.store.write(async (tx) => storeMessages(tx, filling, gathered, messages, userMessages));
}
