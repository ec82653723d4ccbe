import type { Channel, Person } from './community.ts';

/** How each person is mentioned, by key: with the number of the archive, which says who is meant whatever the name here. */
export function mentionsOf(people: readonly Pick<Person, 'key' | 'name'>[]): ReadonlyMap<string, string> {
  return new Map(people.map(({ key, name }, index) => [key, `@**${name}|${numberOf(index)}**`]));
}

/** The number that the person at an index has in the archive that is made. */
export const numberOf = (index: number): number => index + 1;

/** How each channel is named in a text, by key. */
export function channelLinksOf(channels: readonly Pick<Channel, 'key' | 'name'>[]): ReadonlyMap<string, string> {
  return new Map(channels.map(({ key, name }) => [key, `#**${name}**`]));
}

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
