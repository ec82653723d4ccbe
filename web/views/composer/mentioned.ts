/** Most mentions of a text that are checked. */
const MOST = 10;

/** Removes code from a text: names in it notify nobody. */
function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

/** Returns the IDs of the people whom a text mentions, silent mentions excluded. */
export function mentionedIn(text: string, idOf: (name: string) => number | undefined): readonly number[] {
  const found = [...withoutCode(text).matchAll(/@\*\*([^*|\n]+)(?:\|(\d+))?\*\*/g)].slice(0, MOST);
  const ids = found.map(([, name = '', id]) => (id === undefined ? idOf(name) : Number(id)));
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** Returns whether a text mentions all of its channel, or all of its topic. */
export function wildcardIn(text: string): 'channel' | 'topic' | undefined {
  const words = [...withoutCode(text).matchAll(/@\*\*(all|everyone|channel|stream|topic)\*\*/g)].map(
    ([, word]) => word,
  );
  if (words.length === 0) return undefined;
  return words.every((word) => word === 'topic') ? 'topic' : 'channel';
}

/** Returns the names of the channels that a text links to. */
export function channelsIn(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/#\*\*([^*>\n]+)(?:>[^*\n]*)?\*\*/g)].map(([, name = '']) => name);
}
