import type { MessageId } from '#kernel/ids';
import { type Closing, compiledLast, compiledServerWide, inChunks, type ReadTx, type WriteTx } from '#kernel/store';
import type { MessageRow } from '../core/index.ts';
import { indexWords } from './words.ts';

/** Messages of one statement. */
const CHUNK = 500;

/** A message and the words it is found by; undefined when it is not to be found any more. */
type Indexed = readonly [id: MessageId, words: readonly string[] | undefined];

/** Brings the search index up to messages' contents and topics. */
export function indexMessages(tx: WriteTx, messages: readonly Pick<MessageRow, 'id' | 'content' | 'topic'>[]): void {
  for (const { id, content, topic } of messages) tx.beforeCommit(updateIndex, [id, indexWords(content, topic)]);
}

/** Puts messages that came in bulk into the search index at once: at the end they would all be in memory. */
export async function insertIntoIndex(
  tx: ReadTx,
  messages: readonly { readonly id: number; readonly content: string; readonly topic: string }[],
): Promise<void> {
  for (const chunk of inChunks(messages, CHUNK))
    await index(
      tx,
      chunk.map(({ id, content, topic }) => [id, indexWords(content, topic)] as const),
    );
}

/** Takes messages out of the search index. */
export function unindexMessages(tx: WriteTx, ids: readonly MessageId[]): void {
  for (const id of ids) tx.beforeCommit(updateIndex, [id, undefined]);
}

/** SQLite sorts the index into its pages at each savepoint, which costs the same for one message as for a hundred. */
const updateIndex: Closing<Indexed> = async (tx, items) => {
  const last = new Map(items);
  const gone = [...last].flatMap(([id, words]) => (words ? [] : [id]));
  if (gone.length > 0) await tx.dialect.search.remove(gone).execute(tx.db);
  const found = [...last].flatMap(([id, words]) => (words ? [[id, words] as const] : []));
  for (const chunk of inChunks(found, CHUNK)) await indexLast(tx, chunk);
};

type Found = readonly (readonly [number, readonly string[]])[];
const index = compiledServerWide(({ dialect }, messages: Found) => dialect.search.index(messages));
const indexLast = compiledLast(({ dialect }, messages: Found) => dialect.search.index(messages));
