import { apiError } from '#kernel/errors';

/**
 * Most entries of an organization's list, and most characters of it as JSON: each register response sends the whole
 * list, and so does each change of most of them.
 */
const MAX_ENTRIES = {
  linkifiers: 200,
  playgrounds: 200,
  'profile fields': 200,
  'groups of channels': 200,
  'channel folders': 1000,
  domains: 1000,
  emoji: 5000,
};
const MAX_CHARACTERS = { emoji: 2_000_000, others: 250_000 };

type ListName = keyof typeof MAX_ENTRIES;

/** The organization has the most entries that are allowed. See protocol/organizations#lists. */
export const ListFull = apiError<Record<never, never>, { name: ListName; number: number; characters: number }>({
  message: ({ name, number, characters }) =>
    `An organization can have at most ${number} ${name}, with at most ${characters} characters in all.`,
});

/**
 * Throws if a list, as it will be after a change, is too large to be sent whole to every reader. One that an import
 * brought may be larger: then a change may not make it larger than it was before.
 */
export function assertListRoom(name: ListName, list: readonly unknown[], before: readonly unknown[]): void {
  const number = MAX_ENTRIES[name];
  const characters = name === 'emoji' ? MAX_CHARACTERS.emoji : MAX_CHARACTERS.others;
  const isTooLong = list.length > number && list.length > before.length;
  const length = JSON.stringify(list).length;
  const isTooLarge = length > characters && length > JSON.stringify(before).length;
  if (isTooLong || isTooLarge) throw ListFull({ name, number, characters });
}
