import { describe, expect, it } from 'vitest';
import { english } from './english/index.ts';
import { englishOfSettings } from './english/managing.ts';
import { german } from './german/german.ts';
import { germanOfSettings } from './german/german-settings.ts';
import type { Entry } from './words.ts';

/** The texts of a catalogue by key, the forms of a number each for itself. */
const textsOf = (catalogue: Readonly<Record<string, Entry>>) =>
  Object.entries(catalogue).flatMap(([key, entry]): [string, string][] =>
    typeof entry === 'string'
      ? [[key, entry]]
      : [
          [`${key} (one)`, entry.one],
          [`${key} (other)`, entry.other],
        ],
  );

const inEnglish = new Map(textsOf({ ...english, ...englishOfSettings }));
const inGerman = textsOf({ ...german, ...germanOfSettings });

/** Texts that are the same in both languages. */
const SAME = new Set([
  'Administrator',
  'Bot',
  'Bots',
  'Code',
  'Domain',
  'Emoji',
  'Emoji: {name}',
  'Filter',
  'Link',
  'Moderator',
  'Name',
  'Navigation',
  'Offline',
  'Passkey',
  'Passkeys',
  'Spoiler',
  'Status',
  'Token',
  'Version',
  '{emoji}: ',
  '{percent} %',
  '{what}?',
  '17:00',
  '5:00 PM',
  // What is typed in a search.
  'channel:',
  'dm:',
  'has:link',
  'is:starred',
  'sender:',
  'topic:',
]);

const placeholdersOf = (text: string) =>
  [...text.matchAll(/\{\w+\}/g)]
    .map(([name]) => name)
    .toSorted()
    .join();
const endsOf = (text: string) => `${text.startsWith(' ')} ${text.endsWith(' ')}`;
const keysWhere = (isWrong: (text: string, original: string) => boolean) =>
  inGerman.filter(([key, text]) => isWrong(text, inEnglish.get(key) ?? '')).map(([key]) => key);

describe('the German texts', () => {
  it('have the keys of the English ones, in the same order', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english));
    expect(Object.keys(germanOfSettings)).toEqual(Object.keys(englishOfSettings));
    expect(inGerman.map(([key]) => key)).toEqual([...inEnglish.keys()]);
  });

  it('have the placeholders of the English ones', () => {
    expect(keysWhere((text, original) => placeholdersOf(text) !== placeholdersOf(original))).toEqual([]);
  });

  it('differ from the English ones, except for words of both languages', () => {
    const same = new Set(inGerman.filter(([key, text]) => text === inEnglish.get(key)).map(([, text]) => text));
    expect([...same].toSorted()).toEqual([...SAME].toSorted());
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
