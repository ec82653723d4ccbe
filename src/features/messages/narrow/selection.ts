import type { ReadTx } from '#kernel/store';
import { parseSearch, type Search } from '../search/index.ts';
import * as where from './queries.ts';
import type { Selection } from './selecting/queries.ts';
import type { Resolved, Term } from './terms.ts';

/** Conditions of a narrow besides those of single terms. */
interface OtherConditions {
  /** Conditions of searches besides their words. */
  readonly found: readonly where.Asked[];
  /** The condition that a message has the words of the searches; empty without words. */
  readonly hits: readonly where.Asked[];
  /** What the reader may see at all. */
  readonly base: readonly where.Condition[];
}

/** Cost of looking for a text in a message, in simple conditions. */
const TEXT_WEIGHT = 10;

/** All conditions of a narrow, and the ways to find matching messages. */
export function selectionOf(
  resolved: readonly Resolved[],
  search: Search | undefined,
  { found, hits, base }: OtherConditions,
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
      // Repeating the condition of an exact list makes PostgreSQL underestimate its rows, so that it reads the whole
      // list.
      beyondLists: listed.areListsExact ? [...unlisted, ...found, ...hits] : conditions,
    }),
    ...(search && hits.length > 0 && { search: { words: search.words, others: [...others, ...base] } }),
  };
}

/** The combined search of all `search` terms; undefined without any. */
export function searchOf(terms: readonly Term[]): Search | undefined {
  const texts = terms.filter((term) => term.operator === 'search' && !term.negated).map((term) => String(term.operand));
  return texts.length === 0 ? undefined : parseSearch(texts);
}

/** Conditions of searches besides the words of the positive ones. */
export function searchConditions(
  tx: ReadTx,
  search: Search | undefined,
  terms: readonly Term[],
): readonly where.Asked[] {
  const negated = terms
    .filter((term) => term.operator === 'search' && term.negated)
    .map(({ operand }) => parseSearch([String(operand)]));
  const isOfWords = ({ words, phrases }: Search) => words.length > 0 && phrases.length === 0;
  const ofWords = negated.filter(isOfWords);
  return [
    ...(search ? literalConditions(tx, search) : []),
    ...negated.filter((one) => !isOfWords(one)).map((one) => lacking(tx, one)),
    ...(ofWords.length > 0 ? [lackingWords(tx, ofWords)] : []),
  ];
}

/** Conditions of a search besides its words; a search without words and phrases matches nothing. */
function literalConditions(tx: ReadTx, { words, phrases }: Search): readonly where.Condition[] {
  if (words.length === 0 && phrases.length === 0) return [where.never];
  return phrases.map((phrase) => where.contains(tx, phrase));
}

/** The condition of a negated search. */
function lacking(tx: ReadTx, search: Search): where.Asked {
  const literal = literalConditions(tx, search);
  const { words } = search;
  return (window) =>
    where.negation(where.conjunction([...literal, ...(words.length > 0 ? [where.hasWords(tx, window, words)] : [])]));
}

/** The condition of negated searches for words: the index is asked once for all of them. */
function lackingWords(tx: ReadTx, searches: readonly Search[]): where.Asked {
  return (window) => where.negation(where.hasWords(tx, window, ...searches.map(({ words }) => words)));
}
