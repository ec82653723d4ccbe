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
/** The values of a text, as the last argument of a function that fills them in. */
export type Given<Text, Value> = [Needed<Text>] extends [never] ? [] : [Readonly<Record<Needed<Text>, Value>>];

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** Keeps what is written from right to left apart from the text around it, whose signs would otherwise move into it. */
export function isolated<Value>(value: Value): Value | string {
  return typeof value === 'string' && RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

/** Returns a text in pieces, with its values in place of their names in braces. */
export function piecesOf<Value>(text: string, valueOf: (name: string) => Value | undefined): (string | Value)[] {
  return partsOf(text).map((part) => (part.startsWith('{') ? (valueOf(part.slice(1, -1)) ?? part) : part));
}

/** Parsed texts are cached: catalogues have few, which are read at each render. */
const known = new Map<string, readonly string[]>();

function partsOf(text: string): readonly string[] {
  const parts = known.get(text) ?? text.split(/(\{\w+\})/);
  known.set(text, parts);
  return parts;
}
