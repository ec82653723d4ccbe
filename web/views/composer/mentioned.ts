/** Most people of a text who are looked at. */
const MOST = 10;

/** Code is not looked at: names in it tell nobody. */
function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The IDs of the people that a text mentions aloud. */
export function mentionedIn(text: string, idOf: (name: string) => number | undefined): readonly number[] {
  const found = [...withoutCode(text).matchAll(/@\*\*([^*|\n]+)(?:\|(\d+))?\*\*/g)].slice(0, MOST);
  const ids = found.map(([, name = '', id]) => (id === undefined ? idOf(name) : Number(id)));
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** Whether a text tells everybody of its channel, or of its topic. */
export function wildcardIn(text: string): 'channel' | 'topic' | undefined {
  const words = [...withoutCode(text).matchAll(/@\*\*(all|everyone|channel|stream|topic)\*\*/g)].map(
    ([, word]) => word,
  );
  if (words.length === 0) return undefined;
  return words.every((word) => word === 'topic') ? 'topic' : 'channel';
}
