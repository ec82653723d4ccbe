import aliases from '../data/lexers.data.json' with { type: 'json' };

const names = new Map(Object.entries(aliases).flatMap(([name, words]) => words.map((word) => [word, name] as const)));

/** The display name of the language a word names, letter case ignored; for an unknown word, the word in lower case. */
export function languageName(word: string): string {
  const lower = word.toLowerCase();
  return names.get(lower) ?? lower;
}
