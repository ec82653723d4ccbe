import { expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import type { WholeRow } from '#kernel/store';
import { userMessages } from './user-messages.ts';
import { jsonDocument } from './json.ts';
import { Reading } from './reading.ts';
import type { Scope } from './scope.ts';

const PEOPLE = 20_000;
const people: readonly UserId[] = Array.from({ length: PEOPLE }, (_one, index) => asId<UserId>(index + 1));
/** A conversation of more people than one piece has room for, and one of two. */
const scope: Pick<Scope, 'conversations' | 'periods' | 'hasPrivate'> = {
  conversations: new Map([
    [7, people],
    [8, people.slice(0, 2)],
  ]),
  periods: new Map(),
  hasPrivate: (user) => user !== 3,
};
/** The first has read everything up to message 10. */
const reading = new Reading(scope, new Map([[7, new Map([[1, [[1, 10]]]])]]));
const message = (id: number, recipient: number, mentions_channel = false) => ({
  id: asId<never>(id),
  recipient_id: asId<never>(recipient),
  channel_id: null,
  mentions_channel,
});
const flag = (user: number, name: 'starred' | 'delivered', about: number): WholeRow<'message_flag'> => ({
  realm_id: asId(1),
  user_id: asId(user),
  flag: name,
  message_id: asId(about),
});

it('writes a row for everybody who has a message, whatever its digits and however many they are', async () => {
  const page = [message(9, 7), message(8, 8), message(10, 7, true), message(11, 7), message(123_456, 8)];
  const flags = new Map([
    [8, [flag(2, 'starred', 8), flag(5, 'delivered', 8), flag(6, 'starred', 8), flag(3, 'delivered', 8)]],
  ]);
  let text = '';
  for await (const bytes of jsonDocument([['rows', userMessages(scope, reading, flags, page)]]))
    text += Buffer.from(bytes).toString();
  const rows: readonly { message: number; flags_mask: number; user_profile: number }[] = JSON.parse(text).rows;
  const of = (id: number) =>
    new Map(rows.filter((row) => row.message === id).map((row) => [row.user_profile, row.flags_mask]));
  expect(rows).toHaveLength(3 * (PEOPLE - 1) + 3 + 2);
  expect([...of(8)]).toEqual([
    [1, 2048],
    [2, 2048 | 2],
    [5, 2048],
  ]);
  expect([of(9).get(1), of(9).get(2), of(9).get(3), of(9).get(PEOPLE)]).toEqual([2049, 2048, undefined, 2048]);
  expect([of(10).get(1), of(10).get(2)]).toEqual([2049 | 16, 2048 | 16]);
  expect([of(11).get(1), of(11).get(2)]).toEqual([2048, 2048]);
  expect([...of(123_456).keys()]).toEqual([1, 2]);
});
