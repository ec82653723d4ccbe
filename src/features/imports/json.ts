import { ImportRefused } from './entry.ts';

/** Most lists and objects of one JSON text: each takes far more memory than its two characters. */
const MAX_PARTS = 10_000_000;
/** Most values, which the commas between them count, and most different names of members: a name takes a hundred bytes. */
const MAX_VALUES = 50_000_000;
const MAX_NAMES = 100_000;
/** How deeply they may be nested: what is read of them is read by functions that call themselves. */
const MAX_DEPTH = 1_000;
/** Shorter texts take little, whatever they say. */
const SHORT = 1_000_000;

const [QUOTE, BACKSLASH, COMMA, COLON, LIST, LIST_END, OBJECT, OBJECT_END] = [...'"\\,:[]{}'].map((one) =>
  one.charCodeAt(0),
);
const SPACE = 32;

/** Parses JSON of an archive; undefined if it is none, or only its beginning. */
export function parsedJson(place: string, text: string): { readonly value: unknown } | undefined {
  assertBounded(place, text);
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

/** Throws for JSON that would take gigabytes: a hundred million empty lists are a small archive. */
export function assertBounded(place: string, text: string): void {
  if (text.length <= SHORT) return;
  let [parts, depth, values] = [0, 0, 0];
  const names = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const start = at;
      at = endOfText(text, start);
      if (isName(text, at)) names.add(text.slice(start, at));
      if (names.size > MAX_NAMES) throw new ImportRefused(`${place} has more than ${MAX_NAMES} different names`);
    } else if (character === COMMA) {
      if (++values > MAX_VALUES) throw new ImportRefused(`${place} has more than ${MAX_VALUES} values`);
    } else if (character === LIST_END || character === OBJECT_END) depth--;
    else if (character === LIST || character === OBJECT) {
      if (++parts > MAX_PARTS) throw new ImportRefused(`${place} has more than ${MAX_PARTS} lists and objects`);
      if (++depth > MAX_DEPTH) throw new ImportRefused(`${place} has lists within lists ${MAX_DEPTH} deep`);
    }
  }
}

/** Whether the text that ends here is the name of a member: a colon follows. */
function isName(text: string, end: number): boolean {
  let next = end + 1;
  while (text.charCodeAt(next) <= SPACE) next++;
  return text.charCodeAt(next) === COLON;
}

/** Where the text ends that begins at `start`; what is no JSON need not be read right. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
