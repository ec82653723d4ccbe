import type { MessageId } from '#kernel/ids';
import { collectedIds, type Expression, type ReadTx, type RealmReadTx, sql, type SqlBool } from '#kernel/store';

/** Lists of messages, one for each key, each in the order of an index. A message may be in several lists. */
export interface Lists {
  /** A select of the keys, as `key`. */
  readonly keys: Expression<{ key: number }>;
  /** The tables that a list is read from; `message` is one of them. */
  readonly source: Expression<unknown>;
  /** Condition that a row belongs to the list with the key `list.key`. */
  readonly isListed: Expression<SqlBool>;
  /** The message's ID, as the column that the index orders by. */
  readonly id: Expression<MessageId>;
}

/** The range of IDs to look at, and in which direction. */
export interface Stretch {
  readonly from: number;
  readonly direction: 'older' | 'newer';
  readonly limit: number;
  /** The last ID to look at; undefined for no end. */
  readonly until?: number;
}

/** Where to continue reading a list; `kind` is the index of its `Lists` among those that are merged. */
interface Start {
  readonly kind: number;
  readonly key: number;
  readonly start: number;
}

/** The IDs that were read of a list. */
interface ListedIds extends Pick<Start, 'kind' | 'key'> {
  readonly ids: readonly MessageId[];
}

/** The share of a page that is first read of each list: most lists have no more in that range. */
const FIRST_SHARE = 1 / 8;
/** Fewest messages that are read of a list at once. */
const LEAST = 10;

/**
 * Selects, in order from `from` on, the IDs of messages that are in a list and match all conditions. First reads a
 * little of each list, then a full page of the few lists that may have more. The cost depends on the number of lists
 * and the size of the page, not on the length of the lists.
 */
export async function selectMerged(
  tx: RealmReadTx,
  lists: readonly Lists[],
  conditions: readonly Expression<SqlBool>[],
  { from, direction, limit, until }: Stretch,
): Promise<readonly MessageId[]> {
  const isOlder = direction === 'older';
  const all = sql.join([sql`message.realm_id = ${tx.realmId}`, ...conditions], sql` and `);
  const [beyond, within, order] = isOlder ? [sql`<=`, sql`>=`, sql`desc`] : [sql`>=`, sql`<=`, sql`asc`];
  const readEach = (one: Lists, kind: number, starts: Expression<unknown>, count: number) => sql`
    select ${sql.lit(kind)} as kind, list.key, (select ${tx.dialect.collected('found.id')} from (
      select message.id from ${one.source} where ${one.isListed} and ${one.id} ${beyond} list.start
        ${until === undefined ? sql`` : sql`and ${one.id} ${within} ${until}`} and ${all}
      order by ${one.id} ${order} ${tx.dialect.limit(count)}) found) as ids from (${starts}) list`;
  const share = Math.min(limit, Math.max(LEAST, Math.ceil(limit * FIRST_SHARE)));
  const firsts = await readLists(
    tx,
    lists.map((one, kind) =>
      readEach(one, kind, sql`select k.key, ${bigint(from)} as start from (${one.keys}) k`, share),
    ),
  );
  const page = merged(firsts, direction, limit);
  const rests = share === limit ? [] : restsOf(firsts, share, page, { direction, limit });
  if (rests.length === 0) return page;
  const seconds = await readLists(
    tx,
    lists.flatMap((one, kind) => {
      const own = rests.filter((rest) => rest.kind === kind);
      return own.length === 0 ? [] : [readEach(one, kind, literal(own), limit)];
    }),
  );
  return merged([...firsts, ...seconds], direction, limit);
}

/** The lists that may have more messages for the page than were read of them. */
function restsOf(
  found: readonly ListedIds[],
  share: number,
  page: readonly MessageId[],
  { direction, limit }: Pick<Stretch, 'direction' | 'limit'>,
): readonly Start[] {
  const isOlder = direction === 'older';
  const end = page.length < limit ? undefined : page.at(-1);
  return found.flatMap(({ kind, key, ids }) => {
    if (ids.length < share) return [];
    const last = isOlder ? Math.min(...ids) : Math.max(...ids);
    const isOver = end !== undefined && (isOlder ? last <= end : last >= end);
    return isOver ? [] : [{ kind, key, start: isOlder ? last - 1 : last + 1 }];
  });
}

function merged(found: readonly ListedIds[], direction: Stretch['direction'], limit: number): readonly MessageId[] {
  const ids = [...new Set(found.flatMap((one) => one.ids))];
  return ids.toSorted(direction === 'older' ? (a, b) => b - a : (a, b) => a - b).slice(0, limit);
}

async function readLists(tx: ReadTx, parts: readonly Expression<unknown>[]): Promise<readonly ListedIds[]> {
  const { rows } = await sql<{
    kind: number;
    key: number;
    ids: string | null;
  }>`${sql.join([...parts], sql` union all `)}`.execute(tx.db);
  return rows.map(({ kind, key, ids }) => ({ kind, key, ids: collectedIds<MessageId>(ids ?? '[]') }));
}

const literal = (starts: readonly Start[]): Expression<unknown> =>
  sql`${sql.join(
    starts.map(({ key, start }) => sql`select ${bigint(key)} as key, ${bigint(start)} as start`),
    sql` union all `,
  )}`;

/** A number with the type bigint, whatever it is compared with. */
const bigint = (value: number): Expression<unknown> => sql`cast(${value} as bigint)`;
