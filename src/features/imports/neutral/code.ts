/** Blocks and spans of code, and addresses: their text stays as it is. */
const KEPT = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`|https?:\/\/[^\s<>)]+)/g;

/** Turns the parts of a Markdown text that are neither code nor addresses. */
export function outsideOfCode(text: string, turn: (part: string) => string): string {
  return text
    .split(KEPT)
    .map((part, index) => (index % 2 === 0 ? turn(part) : part))
    .join('');
}

/** Mentions of people by their short names, and of everybody. */
export function withMentions(text: string, people: ReadonlyMap<string, string>): string {
  return text.replaceAll(/(?<![\p{L}\p{N}@/._-])@([\p{L}\p{N}][\p{L}\p{N}._-]*)/gu, (all, given: string) => {
    if (/^(all|here|channel)$/.test(given)) return '@**all**';
    const trimmed = given.replace(/[._-]+$/, '');
    for (const name of [given, trimmed]) {
      const mention = people.get(name) ?? people.get(name.toLowerCase());
      if (mention !== undefined) return mention + given.slice(name.length);
    }
    return all;
  });
}
