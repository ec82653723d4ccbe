import { takeCodePoints } from '#kernel/text';

/** What the codes of a text mean. */
export interface Meanings {
  /** Full names by the codes of people. */
  readonly people: ReadonlyMap<string, string>;
  /** Names of channels by their codes. */
  readonly channels: ReadonlyMap<string, string>;
}

/** Code, which stays as it is; else a code in angle brackets, or a mark around words. */
const PARTS =
  /(```[\s\S]*?```|`[^`\n]+`)|<([^<>\n]+)>|(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])|(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])|(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])/g;

/** The text of a Slack message in our Markdown. See protocol/organizations#import-from-slack. */
export function toMarkdown(text: string, meanings: Meanings): string {
  const turned = text.replaceAll(
    PARTS,
    (_all, code?: string, angle?: string, bold?: string, italic?: string, struck?: string) => {
      if (code !== undefined) return code;
      if (angle !== undefined) return ofCode(angle, meanings);
      if (bold !== undefined) return `**${toMarkdown(bold, meanings)}**`;
      if (italic !== undefined) return `*${toMarkdown(italic, meanings)}*`;
      return `~~${toMarkdown(struck ?? '', meanings)}~~`;
    },
  );
  return turned.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function ofCode(code: string, { people, channels }: Meanings): string {
  const [target = '', label] = code.split('|', 2);
  if (target.startsWith('@')) {
    const name = people.get(target.slice(1));
    return name === undefined ? `@${label ?? target.slice(1)}` : `@**${name}**`;
  }
  if (target.startsWith('#')) {
    const name = channels.get(target.slice(1)) ?? label;
    return name === undefined ? target : `#**${name}**`;
  }
  if (/^!(here|channel|everyone)/.test(target)) return '@**all**';
  if (target.startsWith('!')) return label ?? target.slice(1);
  return label === undefined || label === target ? target : `[${label.replaceAll(/[[\]]/g, '')}](${target})`;
}

/** Most code points of a topic. */
const MAX_TOPIC = 60;

/** The name of a thread's topic: its day and how it begins. */
export function threadTopic(seconds: number, text: string): string {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const words = text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_~`<>]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const begin = takeCodePoints(words, MAX_TOPIC - day.length - 2);
  return words === '' ? `${day} thread` : `${day} ${begin}${begin === words ? '' : '…'}`;
}
