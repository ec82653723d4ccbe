import type { ReadTx } from '#kernel/store';
import { parseSearch, type Search } from '../search/index.ts';
import * as where from './queries.ts';
import type { Term } from './terms.ts';

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
