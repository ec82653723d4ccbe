import { type Entry, type Given, isolated, piecesOf } from '#kernel/text';
import { formatNumber, perLocale } from './dates.ts';
import { locale, spoken } from './language.ts';

/** Reads the texts of a catalogue. */
export interface Reader<Catalogue> {
  /** Returns the text of a key with its values filled in. Numbers are formatted for the reader. */
  readonly t: <Key extends keyof Catalogue>(key: Key, ...given: Given<Catalogue[Key], string | number>) => string;
  /** Returns the text in pieces, so that a value can be an element. Numbers stay as they are. */
  readonly pieces: <Key extends keyof Catalogue, Value>(
    key: Key,
    ...given: Given<Catalogue[Key], Value>
  ) => readonly (string | Value)[];
}

export function readerOf<Catalogue extends Readonly<Record<string, Entry>>>(catalogue: Catalogue): Reader<Catalogue> {
  return {
    t: (key, ...given) =>
      split<string | number>(entryOf(catalogue, key), given[0] ?? {}, isolated)
        .map((part) => (typeof part === 'number' ? formatNumber(part) : part))
        .join(''),
    pieces: (key, ...given) => split(entryOf(catalogue, key), given[0] ?? {}),
  };
}

/** Returns the text of a key in the language of the page. */
function entryOf<Catalogue>(catalogue: Catalogue, key: keyof Catalogue): Catalogue[keyof Catalogue] | Entry {
  return spoken.value.texts[String(key)] ?? catalogue[key];
}

function split<Value>(
  entry: Entry | undefined,
  values: Readonly<Partial<Record<string, Value>>>,
  asShown: (value: Value | undefined) => Value | string | undefined = (value) => value,
): (string | Value)[] {
  return piecesOf(formOf(entry ?? '', values['count']), (name) => asShown(values[name]));
}

function formOf(entry: Entry, count: unknown): string {
  if (typeof entry === 'string') return entry;
  return pluralsIn(locale()).select(Number(count)) === 'one' ? entry.one : entry.other;
}

const pluralsIn = perLocale((locale) => new Intl.PluralRules(locale));
