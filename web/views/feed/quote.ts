interface Quoted {
  readonly name: string;
  readonly id: number;
  /** The message's whole address. */
  readonly link: string;
  /** Markdown, as it was written. */
  readonly content: string;
}

/** A message as it is quoted: who said it, where, and the words, within a fence that they cannot close. */
export function quoteOf({ name, id, link, content }: Quoted): string {
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `@_**${name}|${id}** [said](${link}):\n${fence}quote\n${content}\n${fence}\n`;
}
