import { english } from './english/index.ts';

type Catalogue = typeof english;

/** Names the text; the part before the point is the place where it is read. */
export type TextKey = keyof Catalogue;

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Forms<Entry> = Entry extends string
  ? Entry
  : Entry extends { one: infer One; other: infer Other }
    ? One | Other
    : never;
type Plural<Entry> = Entry extends string ? never : 'count';
/** Names of the values that a text needs; `count` chooses between one and many. */
type Needed<Key extends TextKey> = Names<Forms<Catalogue[Key]>> | Plural<Catalogue[Key]>;
type Given<Key extends TextKey, Value> = [Needed<Key>] extends [never] ? [] : [Readonly<Record<Needed<Key>, Value>>];

const plurals = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

/** The text under a key, with its values put in. Numbers are written in the reader's way. */
export function t<Key extends TextKey>(key: Key, ...given: Given<Key, string | number>): string {
  return split<string | number>(key, given[0] ?? {})
    .map((part) => (typeof part === 'number' ? numbers.format(part) : part))
    .join('');
}

/** The same in pieces, for texts in which a name is shown as more than text. Numbers stay as they are given. */
export function pieces<Key extends TextKey, Value>(key: Key, ...given: Given<Key, Value>): readonly (string | Value)[] {
  return split<Value>(key, given[0] ?? {});
}

function split<Value>(key: TextKey, values: Readonly<Partial<Record<string, Value>>>): (string | Value)[] {
  return formOf(english[key], values['count'])
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? (values[part.slice(1, -1)] ?? part) : part));
}

function formOf(entry: string | { readonly one: string; readonly other: string }, count: unknown): string {
  if (typeof entry === 'string') return entry;
  return plurals.select(Number(count)) === 'one' ? entry.one : entry.other;
}
