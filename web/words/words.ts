import { formatNumber, perLocale } from './dates.ts';
import { locale, spoken } from './language.ts';

/** A text, or its forms for one and for many. */
export type Entry = string | { readonly one: string; readonly other: string };

/** A catalogue in another language: the same keys; plain texts stay plain, texts with a number keep both forms. */
export type Translated<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string
    ? string
    : { readonly one: string; readonly other: string };
};

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Forms<Text> = Text extends string
  ? Text
  : Text extends { one: infer One; other: infer Other }
    ? One | Other
    : never;
type Plural<Text> = Text extends string ? never : 'count';
/** Names of the values that a text needs; `count` chooses between singular and plural. */
type Needed<Text> = Names<Forms<Text>> | Plural<Text>;
type Given<Text, Value> = [Needed<Text>] extends [never] ? [] : [Readonly<Record<Needed<Text>, Value>>];

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

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** Keeps what is written from right to left apart from the text around it, whose signs would otherwise move into it. */
export function isolated<Value>(value: Value): Value | string {
  return typeof value === 'string' && RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

function split<Value>(
  entry: Entry | undefined,
  values: Readonly<Partial<Record<string, Value>>>,
  asShown: (value: Value | undefined) => Value | string | undefined = (value) => value,
): (string | Value)[] {
  return partsOf(formOf(entry ?? '', values['count'])).map((part) =>
    part.startsWith('{') ? (asShown(values[part.slice(1, -1)]) ?? part) : part,
  );
}

/** Parsed texts are cached: there are few, and they are read at each render. */
const known = new Map<string, readonly string[]>();

function partsOf(text: string): readonly string[] {
  const parts = known.get(text) ?? text.split(/(\{\w+\})/);
  known.set(text, parts);
  return parts;
}

function formOf(entry: Entry, count: unknown): string {
  if (typeof entry === 'string') return entry;
  return pluralsIn(locale()).select(Number(count)) === 'one' ? entry.one : entry.other;
}

const pluralsIn = perLocale((locale) => new Intl.PluralRules(locale));
