import type { MessageId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { compiled, compiledRows, inChunks, type RealmReadTx, sql, type WriteTx } from '#kernel/store';
import { submessage, type SubmessageRow } from '../tables.ts';

export function insertSubmessage(tx: WriteTx, row: Omit<SubmessageRow, 'id'>): Promise<SubmessageRow> {
  return tx.db.insertInto('submessage').values(row).returningAll().executeTakeFirstOrThrow();
}

/** How much was added to a message: the number of parts, and their characters. */
interface Amount {
  readonly parts: number;
  readonly characters: number;
}

/** The first part of a message, which says what widget it is, and how much there is in all and of one person. */
export async function measureParts(
  tx: RealmReadTx,
  messageId: MessageId,
  senderId: UserId,
): Promise<{ readonly first: string | undefined; readonly all: Amount; readonly own: Amount }> {
  const [[first], amounts] = [await firstPart(tx, messageId), await amountsOf(tx, messageId, senderId)];
  const sum = (some: typeof amounts) => ({
    parts: some.reduce((total, one) => total + Number(one.parts), 0),
    characters: some.reduce((total, one) => total + Number(one.characters), 0),
  });
  return { first: first?.content, all: sum(amounts), own: sum(amounts.filter((one) => one.is_own)) };
}

const firstPart = compiled(({ db, realmId }, messageId: MessageId) =>
  db
    .selectFrom('submessage')
    .select('content')
    .where('realm_id', '=', realmId)
    .where('message_id', '=', messageId)
    .orderBy('id')
    .limit(1),
);

const amountsOf = compiled(({ db, realmId }, messageId: MessageId, senderId: UserId) =>
  db
    .selectFrom('submessage')
    .select([
      sql<boolean>`sender_id = ${senderId}`.as('is_own'),
      sql<number>`count(*)`.as('parts'),
      sql<number>`sum(length(content))`.as('characters'),
    ])
    .where('realm_id', '=', realmId)
    .where('message_id', '=', messageId)
    .groupBy(sql`1`),
);

/** Whether a message has a widget. */
export async function hasParts(tx: RealmReadTx, messageId: MessageId): Promise<boolean> {
  return (await firstPart(tx, messageId)).length > 0;
}

/** Parts that are read at once. */
const READ_AT_ONCE = 1000;

/** All parts of a message in pages, oldest first. */
export async function* partPages(tx: RealmReadTx, id: MessageId): AsyncGenerator<readonly SubmessageRow[]> {
  let last = 0;
  for (let isWhole = false; !isWhole; ) {
    const rows = await partsAfter(tx, id, last);
    yield rows;
    last = rows.at(-1)?.id ?? last;
    isWhole = rows.length < READ_AT_ONCE;
  }
}

const partsAfter = compiledRows(submessage, ({ db, realmId }, messageId: MessageId, last: number) =>
  db
    .selectFrom('submessage')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('message_id', '=', messageId)
    .where('id', '>', last)
    .orderBy('id')
    .limit(READ_AT_ONCE),
);

/**
 * The parts of some messages that are their authors' own, oldest first: the one that makes the widget, and what changes
 * its title. Others can add very many.
 */
export async function partsOfAuthors(
  tx: RealmReadTx,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly SubmessageRow[]>> {
  const parts = ids.length === 0 ? [] : await ownPartsByMessage(tx, ids);
  return grouped(parts.map((one) => [one.message_id, one]));
}

const ownPartsByMessage = compiledRows(submessage, ({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('submessage')
    .selectAll('submessage')
    .innerJoin('message', 'message.id', 'submessage.message_id')
    .where('submessage.realm_id', '=', realmId)
    .where('message.realm_id', '=', realmId)
    .where(dialect.anyOf('submessage.message_id', ids))
    .whereRef('submessage.sender_id', '=', 'message.sender_id')
    .orderBy('submessage.id'),
);

/** The parts of widgets of some messages, oldest first. */
export async function submessagesOf(
  tx: RealmReadTx,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly SubmessageRow[]>> {
  const parts: (readonly SubmessageRow[])[] = [];
  for (const chunk of inChunks(ids, 5000)) parts.push(await submessagesByMessage(tx, chunk));
  return grouped(parts.flat().map((one) => [one.message_id, one]));
}

const submessagesByMessage = compiled(({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('submessage')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids))
    .orderBy('id'),
);
