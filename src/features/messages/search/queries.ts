import type { MessageId } from '#kernel/ids';
import {
  type Closing,
  compiled,
  compiledLast,
  compiledServerWide,
  inChunks,
  inParts,
  type ReadTx,
  type RealmWriteTx,
  type WriteTx,
} from '#kernel/store';
import type { MessageRow } from '../core/index.ts';
import { indexWords } from './words.ts';

/** Most messages of one statement. */
const CHUNK = 500;

/** A message and its words in the index; undefined to remove it. */
type Indexed = readonly [id: MessageId, words: readonly string[] | undefined];

/** Updates the search index for messages' contents and topics, before the transaction commits. */
export function indexMessages(tx: WriteTx, messages: readonly Pick<MessageRow, 'id' | 'content' | 'topic'>[]): void {
  for (const { id, content, topic } of messages) tx.beforeCommit(updateIndex, [id, indexWords(content, topic)]);
}

/** Indexes bulk-loaded messages immediately: collecting them until the commit would need memory for all. */
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

/**
 * Indexes stored messages again immediately, in parts, because all their texts may not fit into memory. A later
 * `indexMessages` in the transaction takes precedence.
 */
export async function reindexMessages(tx: RealmWriteTx, ids: readonly MessageId[]): Promise<void> {
  await inParts(ids, CHUNK, async (some) => insertIntoIndex(tx, await textsOf(tx, some)));
}

const textsOf = compiled(({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('message')
    .select(['id', 'content', 'topic'])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('id', ids)),
);

/** Removes messages from the search index, before the transaction commits. */
export function unindexMessages(tx: WriteTx, ids: readonly MessageId[]): void {
  for (const id of ids) tx.beforeCommit(updateIndex, [id, undefined]);
}

/** SQLite flushes the index to its pages at each savepoint, which costs the same for one message as for a hundred. */
const updateIndex: Closing<Indexed> = async (tx, items) => {
  const last = new Map(items);
  const gone = [...last].flatMap(([id, words]) => (words ? [] : [id]));
  if (gone.length > 0) await tx.dialect.search.remove(gone).execute(tx.db);
  const found = [...last].flatMap(([id, words]) => (words ? [[id, words] as const] : []));
  await inParts(found, CHUNK, (some) => indexLast(tx, some));
};

type Found = readonly (readonly [number, readonly string[]])[];
const index = compiledServerWide(({ dialect }, messages: Found) => dialect.search.index(messages));
const indexLast = compiledLast(({ dialect }, messages: Found) => dialect.search.index(messages));
