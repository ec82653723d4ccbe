import { foldCase, takeCodePoints } from '#kernel/text';
import { stem } from './stem.ts';

/** A word of any script: letters, marks and digits. */
export const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Longest word of the index, in code points; the rest of a longer word is ignored. */
const MAX_WORD = 64;

/** Most words whose index forms are cached: the words that people use all the time are few. */
const MAX_FORMS = 5000;
const forms = new Map<string, string>();

/** The form of a word in the index and in searches. */
export function indexForm(word: string): string {
  const known = forms.get(word);
  if (known !== undefined) return known;
  const form = stem(takeCodePoints(foldCase(word), MAX_WORD));
  if (forms.size >= MAX_FORMS) forms.clear();
  if (word.length <= MAX_WORD) forms.set(word, form);
  return form;
}

/** The words of texts in their index form, each once. */
export function indexWords(...texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => text.match(WORD) ?? []).map(indexForm))];
}

/** A parsed search: stemmed words, all of which must occur, and quoted phrases that must occur literally. */
export interface Search {
  readonly words: readonly string[];
  readonly phrases: readonly string[];
}

/** Parses a search. See protocol/fetching#search. */
export function parseSearch(texts: readonly string[]): Search {
  const text = texts.join(' ');
  const phrases = [...text.matchAll(/"([^"]+)"/g)].flatMap(([, phrase = '']) => (phrase.trim() === '' ? [] : [phrase]));
  return { words: indexWords(text), phrases };
}
