/** What the codes of a text mean. */
export interface Meanings {
  /** How people are mentioned, by their codes. */
  readonly people: ReadonlyMap<string, string>;
  /** How channels are named in a text, by their codes. */
  readonly channels: ReadonlyMap<string, string>;
}

/** Code, a code in angle brackets, or words between marks: told apart by the first character. */
const PARTS =
  /```[\s\S]*?```|`[^`\n]+`|<[^<>\n]+>|(?<![\w*])\*(?=\S)[^*\n]+?(?<=\S)\*(?![\w*])|(?<![\w_])_(?=\S)[^_\n]+?(?<=\S)_(?![\w_])|(?<![\w~])~(?=\S)[^~\n]+?(?<=\S)~(?![\w~])/g;
/** What stands around words instead of a mark. */
const MARKS: Readonly<Record<string, string>> = { '*': '**', _: '*', '~': '~~' };

/** The text of a Slack message in our Markdown. See protocol/organizations#import-from-slack. */
export function toMarkdown(text: string, meanings: Meanings): string {
  const turned = text.replaceAll(PARTS, (part) => {
    const inner = part.slice(1, -1);
    if (part.startsWith('<')) return ofCode(inner, meanings);
    const mark = MARKS[part.charAt(0)];
    // Code stays as it is.
    return mark === undefined ? part : `${mark}${toMarkdown(inner, meanings)}${mark}`;
  });
  return turned.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function ofCode(code: string, { people, channels }: Meanings): string {
  const [target = '', label] = code.split('|', 2);
  if (target.startsWith('@')) {
    return people.get(target.slice(1)) ?? `@${label ?? target.slice(1)}`;
  }
  if (target.startsWith('#')) {
    return channels.get(target.slice(1)) ?? (label === undefined ? target : `#**${label}**`);
  }
  if (/^!(here|channel|everyone)/.test(target)) return '@**all**';
  if (target.startsWith('!')) return label ?? target.slice(1);
  return label === undefined || label === target ? target : `[${label.replaceAll(/[[\]]/g, '')}](${target})`;
}
