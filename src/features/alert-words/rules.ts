import { foldCase } from '#kernel/text';

/** Longest alert word, in code points. See protocol/settings#alert-words. */
export const MAX_WORD = 100;
/** Most words of one user; every send looks for all words of the organization. */
export const MAX_WORDS = 1000;

/**
 * What of the words sent is new: trimmed, neither blank nor known in any letter case.
 * See protocol/settings#alert-words.
 */
export function newWords(known: readonly string[], sent: readonly string[]): readonly string[] {
  const taken = new Set(known.map(foldCase));
  return sent
    .map((word) => word.trim())
    .filter((word) => {
      const key = foldCase(word);
      if (word === '' || taken.has(key)) return false;
      taken.add(key);
      return true;
    });
}
