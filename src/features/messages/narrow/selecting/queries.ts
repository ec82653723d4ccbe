import type { MessageId, RealmId } from '#kernel/ids';
import { collectedIds, type RealmReadTx, sql } from '#kernel/store';
import type { Window } from '../../core/index.ts';
import { type Lists, type Stretch, selectMerged } from '../merged/queries.ts';
import { type Asked, askedWithin, type Condition, condition } from '../queries.ts';
import { selectWithWords } from '../words/queries.ts';
import { walk, walkSince } from '../walk.ts';

/** The messages to look for. */
export interface Selection {
  readonly conditions: readonly Asked[];
  /** Cost of checking the conditions for one message, in simple conditions. */
  readonly weight: number;
  /**
   * Whether one of the conditions matches few messages by itself, so that walking the organization's messages in order
   * would be a poor plan.
   */
  readonly isNarrow: boolean;
  /** Ordered lists that contain every possible match, so that a page can be read from them. */
  readonly lists?: readonly Lists[];
  /** Whether other terms filter the messages of the lists. */
  readonly isFiltered?: boolean;
  /** The conditions that being in a list does not ensure. */
  readonly beyondLists?: readonly Asked[];
  /** The words of a search and all other conditions; absent without such words. */
  readonly search?: { readonly words: readonly string[]; readonly others: readonly Asked[] };
}

/** Selects the IDs of matching messages, from `from` on in the given direction. */
export async function selectIds(
  tx: RealmReadTx,
  selection: Selection,
  stretch: Stretch,
): Promise<readonly MessageId[]> {
  const { search, lists, beyondLists = selection.conditions } = selection;
  const isOlder = stretch.direction === 'older';
  if (lists && !search) {
    // Lists without a filter need no windows: they are fast, however long they are.
    if (!selection.isFiltered) return selectMerged(tx, lists, askedWithin(beyondLists), stretch);
    return walk(tx, { ...stretch, weight: selection.weight }, ({ first, last }, limit) => {
      const [from, until] = isOlder ? [last, first] : [first, last];
      const conditions = askedWithin(beyondLists, { first, last });
      return selectMerged(tx, lists, conditions, { ...stretch, from, until, limit });
    });
  }
  const { marked } = tx.dialect.search;
  if (search && marked) {
    const matching = (window: Window) => inRealm(tx.realmId, { ...selection, conditions: search.others }, window);
    const byIndex = (window: Window, limit: number) => idsWithin(tx, selection, window, { limit, isOlder });
    return selectWithWords(tx, { marked: marked(search.words), matching, byIndex }, stretch);
  }
  return walk(tx, { ...stretch, weight: selection.weight }, async (window, limit) => {
    const ids = await idsWithin(tx, selection, window, { limit, isOlder });
    return ids.toSorted(isOlder ? (a, b) => b - a : (a, b) => a - b);
  });
}

/** The first or last matching IDs of a window, in no particular order. */
async function idsWithin(
  tx: RealmReadTx,
  selection: Selection,
  window: Window,
  { limit, isOlder }: { readonly limit: number; readonly isOlder: boolean },
): Promise<readonly MessageId[]> {
  const { search } = selection;
  const { first, last } = window;
  const order = isOlder ? sql`desc` : sql`asc`;
  // The word condition of `conditions` would gather all messages with a common word; reading the index in order stops
  // at the limit.
  const query =
    search && !tx.dialect.search.marked
      ? sql`select hit.id from (${tx.dialect.search.idsWith(search.words)}) hit
          join message on message.id = hit.id where ${inRealm(tx.realmId, { ...selection, conditions: search.others }, window)}
          and hit.id >= ${first} and hit.id <= ${last} order by hit.id ${order} ${tx.dialect.limit(limit)}`
      : sql`select message.id from message where ${inRealm(tx.realmId, selection, window)}
          and message.id >= ${first} and message.id <= ${last} order by message.id ${order} ${tx.dialect.limit(limit)}`;
  const whole = sql`select ${tx.dialect.collected('found.id')} as ids from (${query}) found`.compile(tx.db);
  // The best plan for a word that every message has is the worst for a rare word, and vice versa.
  const statement = { sql: whole.sql, parameters: whole.parameters, isPlannedAnew: search !== undefined };
  const { rows } = await tx.execute<{ ids: string | null }>(statement);
  return collectedIds<MessageId>(rows[0]?.ids ?? '[]');
}

/** Finds the first matching message sent at `time` (seconds) or later. */
export function firstSince(tx: RealmReadTx, selection: Selection, time: number): Promise<MessageId | undefined> {
  const start = { since: time, weight: selection.weight };
  return walkSince(tx, start, async ({ first, last }) => {
    const { rows } = await sql<{ id: MessageId }>`select message.id from message
      where ${inRealm(tx.realmId, selection)} and message.sent_at >= ${first} and message.sent_at <= ${last}
      order by message.sent_at, message.id limit 1`.execute(tx.db);
    return rows.map((row) => row.id);
  });
}

/** Returns the IDs that match all conditions, ascending. */
export async function filterIds(
  tx: RealmReadTx,
  conditions: readonly Asked[],
  ids: readonly MessageId[],
): Promise<readonly MessageId[]> {
  if (ids.length === 0) return [];
  const [from, until] = [Math.min(...ids), Math.max(...ids)];
  const stretch = { from, until, direction: 'newer', limit: ids.length, weight: conditions.length } as const;
  return walk(tx, stretch, async (window) => {
    const own = ids.filter((id) => id >= window.first && id <= window.last);
    if (own.length === 0) return [];
    const named = condition`${tx.dialect.anyOf('message.id', own)}`;
    const { rows } = await sql<{ id: MessageId }>`select message.id from message
      where ${inRealm(tx.realmId, { conditions: [...conditions, named], isNarrow: true }, window)}
      order by message.id`.execute(tx.db);
    return rows.map((row) => row.id);
  });
}

/**
 * The unary plus keeps the planner from using the index of the organization: without statistics it would walk all of
 * it.
 */
function inRealm(
  realmId: RealmId,
  { conditions, isNarrow }: Pick<Selection, 'conditions' | 'isNarrow'>,
  window?: Window,
): Condition {
  const realm = isNarrow ? condition`+message.realm_id = ${realmId}` : condition`message.realm_id = ${realmId}`;
  return condition`${sql.join([realm, ...askedWithin(conditions, window)], sql` and `)}`;
}
