import { topicLinker } from '#features/rendering';
import { Tables } from '../entry.ts';
import { nameUnknownFields } from '../unknown.ts';
import type { Gathered } from './gathered.ts';
import { type Filling, prepare, type Prepared, type PreparedMessages } from './prepare.ts';
import { storeMessages } from './store.ts';

/** Reads and renders the messages of one file. */
export async function prepareMessageFile(filling: Filling, file: string, value: unknown): Promise<PreparedMessages> {
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
  prepared: PreparedMessages,
): Promise<void> {
  const { context, plan } = filling;
  await context.store.of(plan.realmId).write(async (tx) => storeMessages(tx, filling, gathered, prepared));
}
