import { asId, type MessageId, type RecipientId, type UserId } from '#kernel/ids';
import { type RealmReadTx, sql, tables } from '#kernel/store';
import { handedOut } from './what.ts';

/** Rows per page. */
export const PAGE = 500;
/** Messages per page, each of which may have a megabyte of earlier versions. */
export const MESSAGES_PAGE = 25;

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

/** IDs of a page of such messages, ascending. */
export async function messageIdsAfter(tx: RealmReadTx, whose: Whose, after: number) {
  const all = tx.db.selectFrom('message').select('id').where('realm_id', '=', tx.realmId);
  const own =
    'senderId' in whose
      ? all.where('sender_id', '=', whose.senderId).where('channel_id', 'is not', null)
      : all.where('recipient_id', '=', whose.recipientId);
  const rows = await own.where('id', '>', asId<MessageId>(after)).orderBy('id').limit(MESSAGES_PAGE).execute();
  return rows.map(({ id }) => id);
}
