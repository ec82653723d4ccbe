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
