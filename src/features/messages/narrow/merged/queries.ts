import type { MessageId } from '#kernel/ids';
import { collectedIds, type Expression, type ReadTx, type RealmReadTx, sql, type SqlBool } from '#kernel/store';

/** Lists of messages, one for each key, each in the order that an index has. A message may stand in several. */
export interface Lists {
  /** Select of the keys, as `key`. */
  readonly keys: Expression<{ key: number }>;
  /** What a list is read from; the table `message` is part of it. */
  readonly source: Expression<unknown>;
  /** Which rows of that are in the list `list.key`. */
  readonly isListed: Expression<SqlBool>;
  /** The message's ID in the column that the index has in order. */
  readonly id: Expression<MessageId>;
}

/** Where in the order of IDs to look. */
export interface Stretch {
  readonly from: number;
  readonly direction: 'older' | 'newer';
  readonly limit: number;
  /** The last ID to look at; none where all are looked at. */
  readonly until?: number;
}

/** Where a list is to be read from; `kind` is the place of its lists among those that are merged. */
interface Start {
  readonly kind: number;
  readonly key: number;
  readonly start: number;
}

/** What was read of a list. */
interface Piece extends Pick<Start, 'kind' | 'key'> {
  readonly ids: readonly MessageId[];
}

/** What part of a page is read of each list at first: most have no more in it. */
const FIRST_SHARE = 1 / 8;
/** Least messages that are read of a list at once. */
const LEAST = 10;

/**
 * IDs at `from` and on of the messages that stand in a list and that all conditions let through, in order. A little is
 * read of each list, then a page of those few that have more to give: what it costs follows the number of lists and the
 * page, not how much the lists hold.
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
  const firsts = await readPieces(
    tx,
    lists.map((one, kind) =>
      readEach(one, kind, sql`select k.key, ${bigint(from)} as start from (${one.keys}) k`, share),
    ),
  );
  const page = merged(firsts, direction, limit);
  const rests = share === limit ? [] : restsOf(firsts, share, page, { direction, limit });
  if (rests.length === 0) return page;
  const seconds = await readPieces(
    tx,
    lists.flatMap((one, kind) => {
      const own = rests.filter((rest) => rest.kind === kind);
      return own.length === 0 ? [] : [readEach(one, kind, literal(own), limit)];
    }),
  );
  return merged([...firsts, ...seconds], direction, limit);
}

/** The lists that may have more for a page than was read of them. */
function restsOf(
  pieces: readonly Piece[],
  share: number,
  page: readonly MessageId[],
  { direction, limit }: Pick<Stretch, 'direction' | 'limit'>,
): readonly Start[] {
  const isOlder = direction === 'older';
  const end = page.length < limit ? undefined : page.at(-1);
  return pieces.flatMap(({ kind, key, ids }) => {
    if (ids.length < share) return [];
    const last = isOlder ? Math.min(...ids) : Math.max(...ids);
    const isOver = end !== undefined && (isOlder ? last <= end : last >= end);
    return isOver ? [] : [{ kind, key, start: isOlder ? last - 1 : last + 1 }];
  });
}

function merged(pieces: readonly Piece[], direction: Stretch['direction'], limit: number): readonly MessageId[] {
  const ids = [...new Set(pieces.flatMap((piece) => piece.ids))];
  return ids.toSorted(direction === 'older' ? (a, b) => b - a : (a, b) => a - b).slice(0, limit);
}

async function readPieces(tx: ReadTx, parts: readonly Expression<unknown>[]): Promise<readonly Piece[]> {
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

/** A number as a value, whatever it is compared with. */
const bigint = (value: number): Expression<unknown> => sql`cast(${value} as bigint)`;
