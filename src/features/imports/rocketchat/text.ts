import { outsideOfCode, withMentions } from '../neutral/index.ts';

export interface Meanings {
  /** How people are mentioned, by the names that texts call them by. */
  readonly people: ReadonlyMap<string, string>;
  /** How channels are named in a text, by their short names. */
  readonly channels: ReadonlyMap<string, string>;
}

/** The address of a quoted message, which is attached as well. */
const QUOTED = /\[\s*\]\(https?:\/\/[^\s)]*[?&]msg=[^\s)]*\)\s*/g;

/** The text of a Rocket.Chat message in our Markdown. See protocol/organizations#import-from-rocketchat. */
export function toMarkdown(text: string, meanings: Meanings): string {
  const turned = outsideOfCode(text.replaceAll(QUOTED, ''), (part) =>
    withMentions(
      part
        .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=\S)\*(?![\w*])/g, '\u0000$1\u0000')
        .replaceAll(/(?<![\w_])_(?=[^\s_])([^_\n]+?)(?<=\S)_(?![\w_])/g, '*$1*')
        .replaceAll('\u0000', '**')
        .replaceAll(/(?<![\w~])~(?=[^\s~])([^~\n]+?)(?<=\S)~(?![\w~])/g, '~~$1~~'),
      meanings.people,
    ).replaceAll(
      /(?<![\p{L}\p{N}#&/])#([\p{L}\p{N}][\p{L}\p{N}._-]*)/gu,
      (all, name: string) => meanings.channels.get(name) ?? all,
    ),
  );
  return turned.trim();
}

/** A message within another one. */
export function quoted(author: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length + 1)));
  return `${author === '' ? '' : `${author}:\n`}${fence}quote\n${text}\n${fence}`;
}
