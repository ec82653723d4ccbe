import type { MessageId } from '#kernel/ids';
import { collectedIds, type Expression, type RealmReadTx, sql } from '#kernel/store';
import { EVERYTHING, type Window } from '../../core/index.ts';
import type { Stretch } from '../merged/queries.ts';
import type { Condition } from '../queries.ts';

/** Factor by which more messages are looked at first than are wanted; at least {@link LEAST} are. */
const FIRST = 2;
const LEAST = 128;
/** Words are common if at least one in this many messages has them; the index would then gather too many. */
const COMMON = 128;
/** Factor by which more messages are looked at next when the words are common. */
const FARTHER = 4;

/** A search by words. */
interface Search {
  /** A select of all messages, as `id` and whether the message `has` the words. */
  readonly marked: Expression<unknown>;
  /** The other conditions for the messages of a window. */
  readonly matching: (window: Window) => Condition;
  /** IDs of a window by the full-text index, which gathers all matches and then sorts them. */
  readonly byIndex: (window: Window, limit: number) => Promise<readonly MessageId[]>;
}

/**
 * Selects matching IDs in order, from `from` on, where the full-text index has no order: messages with common words are
 * found by looking at the next messages, messages with rare words by the index, which gathers few.
 */
export async function selectWithWords(
  tx: RealmReadTx,
  search: Search,
  { from, direction, limit, until }: Stretch,
): Promise<readonly MessageId[]> {
  const isOlder = direction === 'older';
  const found: MessageId[] = [];
  let window = isOlder ? { first: until ?? 0, last: from } : { first: from, last: until ?? EVERYTHING.last };
  for (let count = Math.max(LEAST, FIRST * limit); ; count *= FARTHER) {
    const next = await among(tx, search, { window, isOlder, count, limit: limit - found.length });
    found.push(...next.ids);
    if (found.length >= limit || next.looked < count) break;
    window = isOlder ? { ...window, last: next.end - 1 } : { ...window, first: next.end + 1 };
    if (next.ids.length * COMMON >= count) continue;
    found.push(...(await search.byIndex(window, limit - found.length)));
    break;
  }
  return found.toSorted(isOlder ? (a, b) => b - a : (a, b) => a - b);
}

interface Next {
  readonly window: Window;
  readonly isOlder: boolean;
  /** How many messages to look at, from the beginning of the window in that direction. */
  readonly count: number;
  /** How many matches are wanted. */
  readonly limit: number;
}

/** Returns the matches among the next messages, how many were looked at, and the last ID that was looked at. */
async function among(
  tx: RealmReadTx,
  { marked, matching }: Search,
  { window, isOlder, count, limit }: Next,
): Promise<{ readonly ids: readonly MessageId[]; readonly looked: number; readonly end: number }> {
  const order = isOlder ? sql`desc` : sql`asc`;
  const query = sql`with next as materialized (
      select one.id, one.has from (${marked}) one
      where one.id between ${window.first} and ${window.last} order by one.id ${order} ${tx.dialect.limit(count)})
    select count(*) as looked, coalesce(${isOlder ? sql`min(next.id)` : sql`max(next.id)`}, 0) as end,
      (select ${tx.dialect.collected('found.id')} from (
        select message.id from next join message on message.id = next.id where next.has and ${matching(window)}
        order by next.id ${order} ${tx.dialect.limit(limit)}) found) as ids from next`.compile(tx.db);
  const { rows } = await tx.execute<{ looked: number; end: number; ids: string | null }>(query);
  const [{ looked, end, ids } = { looked: 0, end: 0, ids: null }] = rows;
  return { ids: collectedIds<MessageId>(ids ?? '[]'), looked, end };
}
