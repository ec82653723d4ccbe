import table from '../data/emoji.data.json' with { type: 'json' };

/** Names of each emoji by code; the first is the display name (protocol/markdown#emoji). */
export const codeToNames: Readonly<Record<string, readonly string[]>> = table;

const names = new Map(Object.entries(table).map(([code, [first]]) => [code, first]));
const codes = new Map(Object.entries(table).flatMap(([code, all]) => all.map((name) => [name, code] as const)));

/** Returns the code of the Unicode emoji with a name, or undefined. */
export function emojiCode(name: string): string | undefined {
  return codes.get(name);
}

/** Returns the display name of the Unicode emoji with a code, or undefined. */
export function emojiName(code: string): string | undefined {
  return names.get(code);
}
