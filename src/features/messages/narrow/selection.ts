import type { Search } from '../search/index.ts';
import type { Resolved } from './looking.ts';
import type * as where from './queries.ts';

/** Conditions beside those of single terms. */
interface Beside {
  /** What searches ask for besides words. */
  readonly found: readonly where.Asked[];
  /** The words of searches. */
  readonly hits: readonly where.Asked[];
  /** What the reader may find at all. */
  readonly base: readonly where.Condition[];
}

/** What it costs to look for a text in that of a message, in simple conditions. */
const TEXT_WEIGHT = 10;

/** All that a narrow looks for, and the ways to find it. */
export function selectionOf(
  resolved: readonly Resolved[],
  search: Search | undefined,
  { found, hits, base }: Beside,
): where.Selection {
  const others = [...resolved.map((one) => one.condition), ...found];
  const conditions = [...others, ...hits, ...base];
  const listed = resolved.find((one) => one.lists);
  const unlisted = resolved.filter((one) => one !== listed).map((one) => one.condition);
  return {
    conditions,
    weight: conditions.length + TEXT_WEIGHT * found.length,
    isNarrow: search !== undefined || resolved.some((one) => one.isNarrow === true),
    ...(listed?.lists && {
      lists: listed.lists,
      isFiltered: unlisted.length + found.length + hits.length > 0,
      // To say what a list says makes PostgreSQL expect so few in it that it reads the whole.
      beyondLists: listed.areListsExact ? [...unlisted, ...found, ...hits] : conditions,
    }),
    ...(search && hits.length > 0 && { search: { words: search.words, others: [...others, ...base] } }),
  };
}
