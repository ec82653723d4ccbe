import { foldCase } from '#kernel/text';
import type { Channel, Person } from './community.ts';

/** How each person is mentioned, by key; with the number of the archive where several have the name. */
export function mentionsOf(people: readonly Pick<Person, 'key' | 'name'>[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const { name } of people) count.set(foldCase(name), (count.get(foldCase(name)) ?? 0) + 1);
  return new Map(
    people.map(({ key, name }, index) => [
      key,
      count.get(foldCase(name)) === 1 ? `@**${name}**` : `@**${name}|${numberOf(index)}**`,
    ]),
  );
}

/** The number that the person at an index has in the archive that is made. */
export const numberOf = (index: number): number => index + 1;

/** How each channel is named in a text, by key. */
export function channelLinksOf(channels: readonly Pick<Channel, 'key' | 'name'>[]): ReadonlyMap<string, string> {
  return new Map(channels.map(({ key, name }) => [key, `#**${name}**`]));
}
