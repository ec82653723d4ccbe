import type { MessageId } from '#kernel/ids';
import { compiled, inChunks, type WriteTx } from '#kernel/store';
import type { MessageRow } from '../tables.ts';
import { indexWords } from './words.ts';

/** Brings the search index up to a message's content and topic. */
export async function indexMessage(tx: WriteTx, message: Pick<MessageRow, 'id' | 'content' | 'topic'>): Promise<void> {
  await index(tx, message.id, indexWords(message.content, message.topic));
}

const index = compiled((_db, [id, words]: [MessageId, readonly string[]], dialect) => dialect.search.index(id, words));

/** Messages of one statement. */
const CHUNK = 500;

/** Brings the search index up to many messages. */
export async function indexMessages(
  tx: WriteTx,
  messages: readonly Pick<MessageRow, 'id' | 'content' | 'topic'>[],
): Promise<void> {
  for (const chunk of inChunks(messages, CHUNK)) {
    const entries = chunk.map(({ id, content, topic }) => [id, indexWords(content, topic)] as const);
    await tx.dialect.search.indexAll(entries).execute(tx.db);
  }
}

/** Takes messages out of the search index. */
export async function unindexMessages(tx: WriteTx, ids: readonly MessageId[]): Promise<void> {
  if (ids.length > 0) await tx.dialect.search.remove(ids).execute(tx.db);
}
