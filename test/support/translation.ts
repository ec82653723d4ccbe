import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/kernel/text/index.ts';

type Catalogue = Readonly<Record<string, Entry>>;

/** The texts of a catalogue by key, the forms of a number each for itself. */
const textsOf = (catalogue: Catalogue) =>
  Object.entries(catalogue).flatMap(([key, entry]): [string, string][] =>
    typeof entry === 'string'
      ? [[key, entry]]
      : [
          [`${key} (one)`, entry.one],
          [`${key} (other)`, entry.other],
        ],
  );

const placeholdersOf = (text: string) =>
  [...text.matchAll(/\{\w+\}/g)]
    .map(([name]) => name)
    .toSorted()
    .join();
const endsOf = (text: string) => `${text.startsWith(' ')} ${text.endsWith(' ')}`;

/** Describes what German texts have in common with the English ones; `same` are words of both languages. */
export function describeTranslation(
  name: string,
  english: Catalogue,
  german: Catalogue,
  same: readonly string[],
): void {
  const inEnglish = new Map(textsOf(english));
  const inGerman = textsOf(german);
  const keysWhere = (isWrong: (text: string, original: string) => boolean) =>
    inGerman.filter(([key, text]) => isWrong(text, inEnglish.get(key) ?? '')).map(([key]) => key);

  describe(name, () => {
    it('have the keys of the English ones, in the same order', () => {
      expect(Object.keys(german)).toEqual(Object.keys(english));
      expect(inGerman.map(([key]) => key)).toEqual([...inEnglish.keys()]);
    });

    it('have the placeholders of the English ones', () => {
      expect(keysWhere((text, original) => placeholdersOf(text) !== placeholdersOf(original))).toEqual([]);
    });

    it('differ from the English ones, except for words of both languages', () => {
      const found = new Set(inGerman.filter(([key, text]) => text === inEnglish.get(key)).map(([, text]) => text));
      expect([...found].toSorted()).toEqual(same.toSorted());
    });

    it('keep spaces at their ends, where a name or a number stands beside them', () => {
      expect(keysWhere((text, original) => endsOf(text) !== endsOf(original))).toEqual([]);
    });

    it('have German quotation marks', () => {
      const isWrong = (text: string) => /["'“”„‚‘«»]/.test(text.replaceAll(/„[^„“]+“/g, ''));
      expect(keysWhere(isWrong)).toEqual([]);
    });

    it('have a space before three dots for omitted words, and no two spaces or full stops', () => {
      expect(keysWhere((text) => /\S…|\.\.| {2}/.test(text))).toEqual([]);
    });

    it('have no exclamation marks', () => {
      expect(keysWhere((text) => text.includes('!'))).toEqual([]);
    });
  });
}
