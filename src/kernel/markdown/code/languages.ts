import aliases from '../data/lexers.data.json' with { type: 'json' };
import highlighters from './highlighters.data.json' with { type: 'json' };

const names = new Map(Object.entries(aliases).flatMap(([name, words]) => words.map((word) => [word, name] as const)));
const byName = new Map<string, string>(Object.entries(highlighters));

/** The display name of the language a word names, letter case ignored; for an unknown word, the word in lower case. */
export function languageName(word: string): string {
  const lower = word.toLowerCase();
  return names.get(lower) ?? lower;
}

/** The highlighter's name of the language a word names, or of one that is written alike; undefined: shown plain. */
export function highlighterOf(word: string): string | undefined {
  return byName.get(languageName(word));
}
