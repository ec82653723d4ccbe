import { asId, type MessageId, type RecipientId, type UserId } from '#kernel/ids';
import { type RealmReadTx, sql, tables } from '#kernel/store';
import { handedOut } from './what.ts';

/** Rows per page. */
export const PAGE = 100;
/** Messages whose sizes are read at once, and bytes of their texts from which on a page of messages is full. */
const MESSAGES_AT_ONCE = 100;
const PAGE_BYTES = 500_000;

type Row = Readonly<Record<string, unknown>>;

/** A person's rows of a table, and the order in which pages are read. */
interface Rows {
  readonly table: string;
  readonly column: string;
  /** A column with ascending values, if the table has one. */
  readonly order: string | undefined;
  /** The column of a channel that the person must know of to get the row, if there is one. */
  readonly channel?: string | undefined;
}

/** The tables to read, with the columns to leave out. */
export function ownTables(): readonly (Rows & { readonly without: ReadonlySet<string> })[] {
  const declared = new Map(tables().map((one) => [one.name, Object.keys(one.columns)]));
  return Object.entries(handedOut()).flatMap(([table, parts]) =>
    parts.map(({ column, channel, without = [] }) => {
      const columns = declared.get(table) ?? [];
      const order = ['id', 'message_id'].find((name) => columns.includes(name));
      return { table, column, order, channel, without: new Set([...without, 'realm_id']) };
    }),
  );
}

/** A page of a person's rows, after a value of the order column; all rows if the table has no such column. */
export async function ownRows(
  tx: RealmReadTx,
  userId: UserId,
  { table, column, order }: Rows,
  after: number,
): Promise<readonly Row[]> {
  const own = sql`realm_id = ${tx.realmId} and ${sql.ref(column)} = ${userId}`;
  const all = sql<Row>`select * from ${sql.table(table)} where ${own}`;
  if (order === undefined) return (await all.execute(tx.db)).rows;
  const place = sql.ref(order);
  const { rows } = await sql<Row>`${all} and ${place} > ${after} order by ${place} limit ${sql.lit(PAGE)}`.execute(
    tx.db,
  );
  return rows;
}

/** The direct conversations of a person, with their participants. */
export async function conversationsOf(
  tx: RealmReadTx,
  userId: UserId,
): Promise<ReadonlyMap<RecipientId, readonly UserId[]>> {
  const rows = await tx.db
    .selectFrom('direct_participant as own')
    .innerJoin('direct_participant as other', 'other.recipient_id', 'own.recipient_id')
    .select(['other.recipient_id', 'other.user_id'])
    .where('own.realm_id', '=', tx.realmId)
    .where('own.user_id', '=', userId)
    .orderBy('other.recipient_id')
    .orderBy('other.user_id')
    .execute();
  const found = new Map<RecipientId, UserId[]>();
  for (const { recipient_id, user_id } of rows) found.set(recipient_id, [...(found.get(recipient_id) ?? []), user_id]);
  return found;
}

/** Selects the channel messages that somebody sent, or the messages of a direct conversation. */
export type Whose = { readonly senderId: UserId } | { readonly recipientId: RecipientId };

/** Bytes of a message's texts, which are known without reading them. Earlier versions may be a megabyte. */
const BYTES = sql<number>`octet_length(content) + octet_length(rendered_content) + coalesce(octet_length(edit_history), 0)`;

/** IDs of the next such messages, ascending, in pages that are not too large to be held by many at once. */
export async function messagePagesAfter(
  tx: RealmReadTx,
  whose: Whose,
  after: number,
): Promise<{ readonly pages: readonly (readonly MessageId[])[]; readonly last: MessageId | undefined }> {
  const all = tx.db
    .selectFrom('message')
    .select(['id', BYTES.as('bytes')])
    .where('realm_id', '=', tx.realmId);
  const own =
    'senderId' in whose
      ? all.where('sender_id', '=', whose.senderId).where('channel_id', 'is not', null)
      : all.where('recipient_id', '=', whose.recipientId);
  const rows = await own.where('id', '>', asId<MessageId>(after)).orderBy('id').limit(MESSAGES_AT_ONCE).execute();
  return { pages: pagesOf(rows), last: rows.length < MESSAGES_AT_ONCE ? undefined : rows.at(-1)?.id };
}

function pagesOf(
  rows: readonly { readonly id: MessageId; readonly bytes: number }[],
): readonly (readonly MessageId[])[] {
  const pages: MessageId[][] = [];
  let held = Infinity;
  for (const { id, bytes } of rows) {
    held += Number(bytes);
    if (held > PAGE_BYTES) {
      pages.push([]);
      held = Number(bytes);
    }
    pages.at(-1)?.push(id);
  }
  return pages;
}
