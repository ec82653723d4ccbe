import type { MessageId } from '#kernel/ids';
import { type Closing, compiled, inChunks, type WriteTx } from '#kernel/store';
import type { MessageRow } from '../tables.ts';
import { indexWords } from './words.ts';

/** Messages of one statement. */
const CHUNK = 500;

/** A message and the words it is found by; undefined when it is not to be found any more. */
type Indexed = readonly [id: MessageId, words: readonly string[] | undefined];

/** Brings the search index up to messages' contents and topics. */
export function indexMessages(tx: WriteTx, messages: readonly Pick<MessageRow, 'id' | 'content' | 'topic'>[]): void {
  for (const { id, content, topic } of messages) tx.beforeCommit(updateIndex, [id, indexWords(content, topic)]);
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
  for (const chunk of inChunks(found, CHUNK)) await index(tx, chunk);
};

const index = compiled((_db, [messages]: [readonly (readonly [MessageId, readonly string[]])[]], dialect) =>
  dialect.search.index(messages),
);
