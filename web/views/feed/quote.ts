interface Quoted {
  readonly name: string;
  readonly id: number;
  /** The full address of the message. */
  readonly link: string;
  /** The message's Markdown source. */
  readonly content: string;
}

/** Formats a quotation: sender, link, and the source within a fence longer than any in it. */
export function quoteOf({ name, id, link, content }: Quoted): string {
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `@_**${name}|${id}** [said](${link}):\n${fence}quote\n${content}\n${fence}\n`;
}
