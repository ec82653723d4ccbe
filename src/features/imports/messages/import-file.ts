import { topicLinker } from '#features/rendering';
import { Tables } from '../entry.ts';
import type { Gathered } from './gathered.ts';
import { type Filling, prepare, type Prepared } from './prepare.ts';
import { storeMessages } from './store.ts';

/** Stores the messages of one file. */
export async function importMessageFile(
  filling: Filling,
  gathered: Gathered,
  file: string,
  value: unknown,
): Promise<number> {
  const tables = new Tables(file, value);
  const linkTopic = await topicLinker(filling.context, filling.realm);
  const prepared: Prepared[] = [];
  for (const entry of tables.rows('zerver_message')) {
    const one = await prepare(filling, entry, linkTopic);
    if (one) prepared.push(one);
  }
  await filling.context.store.write(async (tx) =>
    storeMessages(tx, filling, gathered, prepared, tables.rows('zerver_usermessage')),
  );
  return prepared.length;
}
