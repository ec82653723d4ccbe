import { foldCase } from '#kernel/text';

/** Longest alert word, in code points. See protocol/settings#alert-words. */
export const MAX_WORD = 100;
/** Most words of one user; each message is searched for all words of the organization. */
export const MAX_WORDS = 1000;

/**
 * Returns which of the words sent are new: trimmed, not blank, and not known in any letter case. See
 * protocol/settings#alert-words.
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
