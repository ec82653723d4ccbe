import type { ReadTx } from '#kernel/store';
import { parseSearch, type Search } from '../search/index.ts';
import * as where from './queries.ts';
import type { Selection } from './selecting/queries.ts';
import type { Resolved, Term } from './terms.ts';

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
): Selection {
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

/** What all `search` terms together ask for; undefined without any. */
export function searchOf(terms: readonly Term[]): Search | undefined {
  const texts = terms.filter((term) => term.operator === 'search' && !term.negated).map((term) => String(term.operand));
  return texts.length === 0 ? undefined : parseSearch(texts);
}

/** What searches ask for besides the words of the positive ones. */
export function searchConditions(
  tx: ReadTx,
  search: Search | undefined,
  terms: readonly Term[],
): readonly where.Asked[] {
  const negated = terms.filter((term) => term.operator === 'search' && term.negated);
  return [...(search ? literalConditions(tx, search) : []), ...negated.map(({ operand }) => lacking(tx, operand))];
}

/** What a search asks for besides its words; one without any asks for nothing. */
function literalConditions(tx: ReadTx, { words, phrases }: Search): readonly where.Condition[] {
  if (words.length === 0 && phrases.length === 0) return [where.never];
  return phrases.map((phrase) => where.contains(tx, phrase));
}

/** What a search that must not be met asks for. */
function lacking(tx: ReadTx, operand: Term['operand']): where.Asked {
  const search = parseSearch([String(operand)]);
  const literal = literalConditions(tx, search);
  const { words } = search;
  return (window) =>
    where.negation(where.conjunction([...literal, ...(words.length > 0 ? [where.hasWords(tx, words, window)] : [])]));
}
