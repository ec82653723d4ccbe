import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../../test/support/client.ts';
import { copyMessage } from '../../../../test/support/copies.ts';
import { databases } from '../../../../test/support/databases.ts';
import { processorMs } from '../../../../test/support/processor.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { sql } from '#kernel/store';

const MESSAGES = 150;
/** So many terms that the windows of the walk have far fewer messages than there are. */
const TERMS = 99;

describe.each(databases)('narrows of many terms on %s', (database) => {
  let world: World;
  const linked: number[] = [];
  const all: number[] = [];
  beforeAll(async () => {
    world = await openWorld(database);
    const principals = [world.max.userId, world.mia.userId];
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
    for (let n = 0; n < MESSAGES; n++) {
      const isLinked = n % 11 === 3;
      const content = `heron ${isLinked ? 'https://birds.test/' : 'nothing'}`;
      const { id } = await world.max.post('/messages', { type: 'channel', to: 'birds', topic: 'walk', content });
      all.push(id);
      if (isLinked) linked.push(id);
    }
  });
  afterAll(() => world.close());

  const many = Array.from({ length: TERMS }, (_none, n) => ({ operator: 'search', operand: `owl${n}`, negated: true }));
  const narrow = [...many, { operator: 'has', operand: 'link' }];
  const fetch = async (parameters: object): Promise<Body> => {
    const { messages, ...found } = await world.max.get('/messages', {
      narrow,
      num_before: 0,
      num_after: 0,
      ...parameters,
    });
    return { ids: messages.map((message: { id: number }) => message.id), ...found };
  };

  it('find from the end as many as were asked for, and say whether there are more', async () => {
    for (const count of [1, 4, linked.length - 1])
      expect(await fetch({ anchor: 'newest', num_before: count })).toMatchObject({
        ids: linked.slice(-count),
        found_oldest: false,
        found_newest: true,
      });
    const beyond = await fetch({ anchor: 'newest', num_before: linked.length + 1 });
    expect(beyond).toMatchObject({ ids: linked, found_oldest: true });
  });

  it('find from the beginning and around a message', async () => {
    expect(await fetch({ anchor: 'oldest', num_after: 5 })).toMatchObject({
      ids: linked.slice(0, 5),
      found_newest: false,
    });
    const middle = Math.floor(linked.length / 2);
    expect(await fetch({ anchor: linked[middle], num_before: 3, num_after: 2 })).toMatchObject({
      ids: linked.slice(middle - 3, middle + 3),
      found_anchor: true,
    });
  });

  it('find the first unread message, and the first since a time', async () => {
    const { mia } = world;
    const own = await mia.get('/messages', { narrow, anchor: 'first_unread', num_before: 0, num_after: 1 });
    expect(own['anchor']).toBe(linked[0]);
    expect((await fetch({ anchor: 'date', anchor_date: '2001-01-01T00:00:00Z', num_after: 1 })).anchor).toBe(linked[0]);
  });

  it('let through those of named messages that they should', async () => {
    const { messages } = await world.max.get('/messages/matches_narrow', { msg_ids: all, narrow });
    expect(Object.keys(messages).map(Number)).toEqual(linked);
  });

  it('find nothing where nothing is', async () => {
    const none = [...many, { operator: 'has', operand: 'reaction' }];
    expect(await fetch({ narrow: none, anchor: 'newest', num_before: 10 })).toMatchObject({
      ids: [],
      found_oldest: true,
    });
  });

  it('take a time that grows with the messages that are starred or unread, not with its square', async () => {
    const { max, mia } = world;
    const { id } = await max.post('/messages', { type: 'channel', to: 'birds', topic: 'many', content: 'heron' });
    await copyMessage(world, id, 60_000);
    await world.server.context.store.of(world.realm.id).write(async ({ db }) => {
      await sql`insert into message_flag (realm_id, user_id, flag, message_id)
        select realm_id, ${sql.lit(mia.userId)}, 'starred', id from message where id >= ${id}`.execute(db);
    });
    for (const operand of ['starred', 'unread']) {
      const terms = [
        { operator: 'is', operand },
        { operator: 'has', operand: 'reaction' },
      ];
      const asked = { narrow: terms, anchor: 'newest', num_before: 1, num_after: 0 };
      expect(await processorMs(() => mia.get('/messages', asked)), operand).toBeLessThan(1000);
    }
  });
});
