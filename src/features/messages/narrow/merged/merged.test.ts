import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../../../test/support/client.ts';
import { databases } from '../../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../../test/support/world.ts';

/** More than is read of a conversation at first, however large the page. */
const MANY = 25;

describe.each(databases)('pages of many conversations on %s', (database) => {
  let world: World;
  const direct: number[] = [];
  const withMona: number[] = [];
  const mentions: number[] = [];
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, mona, gus } = world;
    const principals = [max.userId, mia.userId];
    for (const name of ['birds', 'fish'])
      await max.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'not hers' }] });
    await mia.post('/user_groups/create', { name: 'birders', description: '', members: [mia.userId] });
    const people = [[mia], [mia, mona], [mona], [mia, mona, gus]];
    const write = async (index: number) => {
      const chosen = people[index] ?? [];
      const { id } = await max.post('/messages', {
        type: 'direct',
        to: chosen.map((one) => one.userId),
        content: 'psst',
      });
      if (chosen.includes(mia)) direct.push(id);
      if (chosen.includes(mia) && chosen.includes(mona)) withMona.push(id);
    };
    const say = async (to: string, content: string, isMentioned = true) => {
      const { id } = await max.post('/messages', { type: 'channel', to, topic: 'x', content });
      if (isMentioned) mentions.push(id);
    };
    const byName = `@**Mia Member|${mia.userId}**`;
    await say('fish', '@**all**');
    await say('fish', '@*birders*');
    for (const index of [0, 1, 2, 3]) await write(index);
    for (let count = 0; count < MANY; count++) {
      await write(1);
      await say('birds', '@**all**');
      if (count % 5 > 0) continue;
      await write(0);
      await say('fish', byName);
      await say('birds', `@*birders* ${byName}`);
      await say('birds', 'nobody', false);
      await say('not hers', '@**all**', false);
    }
    for (const index of [3, 0]) await write(index);
  });
  afterAll(() => world.close());

  /** Every page that walking the narrow shows, from one end to the other. */
  const walk = async (narrow: object, size: number, isOlder: boolean): Promise<readonly number[]> => {
    const all: number[] = [];
    let anchor: number | string = isOlder ? 'newest' : 'oldest';
    const amounts = isOlder ? { num_before: size, num_after: 0 } : { num_before: 0, num_after: size };
    for (;;) {
      const page: Body = await world.mia.get('/messages', { anchor, ...amounts, narrow, include_anchor: false });
      const ids: number[] = page['messages'].map((message: { id: number }) => message.id);
      all.push(...(isOlder ? ids.toReversed() : ids));
      const last = isOlder ? ids[0] : ids.at(-1);
      if (page[isOlder ? 'found_oldest' : 'found_newest'] || last === undefined)
        return isOlder ? all.toReversed() : all;
      anchor = last;
    }
  };

  it.each([1, 7, 20, 100])('show each message once and in order, %i at a time', async (size) => {
    const cases: readonly (readonly [object, readonly number[]])[] = [
      [[['is', 'dm']], direct],
      [[['dm-including', world.mona.email]], withMona],
      [[['is', 'mentioned']], mentions],
      [
        [
          ['is', 'mentioned'],
          ['is', 'dm'],
        ],
        [],
      ],
    ];
    for (const [narrow, ids] of cases)
      for (const isOlder of [true, false])
        expect(await walk(narrow, size, isOlder), JSON.stringify(narrow)).toEqual(ids);
  });
});
