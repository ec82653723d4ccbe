import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyMessage } from '../../../../../test/support/copies.ts';
import { databases } from '../../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../../test/support/world.ts';
import type { Actor } from '#kernel/auth';
import { asId, type MessageId, type UserId } from '#kernel/ids';
import { sql, type SqlBool } from '#kernel/store';
import { listUnread, listUnreadIn } from './listing/queries.ts';
import { unreadBy } from './by-user.ts';
import { conversationsOf } from './queries.ts';

const MESSAGES = 40_000;
/** Most unread messages that one query collects on SQLite. */
const AT_ONCE = 16_384;

const chunksOf = (ids: readonly number[], size: number) =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_none, n) => ids.slice(n * size, (n + 1) * size));

async function allOf<T>(each: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of each) all.push(one);
  return all;
}

describe.each(databases)('what somebody has not read, on %s', (database) => {
  let world: World;
  let first: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'birds' }],
      principals: [max.userId, mia.userId],
    });
    const heron = { type: 'channel', to: 'birds', topic: 'many', content: 'heron' };
    first = (await max.post('/messages', heron))['id'];
    await copyMessage(world, first, MESSAGES - 1);
  });
  afterAll(() => world.close());

  const asMia = () => {
    const { server, realm, mia } = world;
    const userId = asId<UserId>(mia.userId);
    return server.context.store.as({ realm, realmId: realm.id, userId } as Actor);
  };
  const newest = () => Array.from({ length: MESSAGES }, (_none, n) => first + n);

  it('is listed whole where all is wanted', async () => {
    const groups = await asMia().query((tx) => listUnread(tx, MESSAGES));
    const ids = groups.flatMap((group) => group.ids);
    expect(ids.toSorted((a, b) => a - b)).toEqual(newest());
    const all = await asMia().query((tx) => listUnreadIn(tx, [sql<SqlBool>`1 = 1`]));
    expect(all).toEqual(newest());
  });

  it.runIf(database === 'sqlite')('is read in parts, the newest first, and not farther than wanted', async () => {
    const groups = await asMia().query((tx) => listUnread(tx, 1));
    const ids = groups.flatMap((group) => group.ids);
    expect(ids.toSorted((a, b) => a - b)).toEqual(newest().slice(-AT_ONCE));
  });

  it('is read in slices for several people, each message once', async () => {
    const people = [world.max, world.mia].map(({ userId }) => asId<UserId>(userId));
    const slices = await asMia().query(async (tx) =>
      allOf(unreadBy(tx, people, await conversationsOf(tx, tx.actor.userId))),
    );
    expect(Math.max(...slices.map((rows) => rows.length))).toBeLessThanOrEqual(10_000);
    const mine = slices.flat().filter((row) => row.user_id === world.mia.userId);
    expect(mine.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(newest());
  });

  it('is found quickly where one received and read thousands of messages of a channel one by one', async () => {
    const { server, realm, mona } = world;
    const mine = { realmId: realm.id, userId: asId<UserId>(mona.userId) };
    const [received, read] = [newest().filter((id) => id % 4 === 0), newest().filter((id) => id % 8 === 0)];
    await server.context.store.of(realm.id).write(async ({ db }) => {
      const of = { realm_id: mine.realmId, user_id: mine.userId };
      const channel = db.selectFrom('message').select('recipient_id').where('id', '=', asId<MessageId>(first));
      const { recipient_id } = await channel.executeTakeFirstOrThrow();
      for (const ids of chunksOf(received, 2_000))
        await db
          .insertInto('message_flag')
          .values(ids.map((id) => ({ ...of, message_id: asId<MessageId>(id), flag: 'historical' as const })))
          .execute();
      for (const ids of chunksOf(read, 2_000))
        await db
          .insertInto('read_interval')
          .values(
            ids.map((id) => ({ ...of, recipient_id, first_id: asId<MessageId>(id), last_id: asId<MessageId>(id) })),
          )
          .execute();
    });
    const asMona = server.context.store.as({ realm, ...mine } as Actor);
    const began = performance.now();
    const all = await asMona.query((tx) => listUnreadIn(tx, [sql<SqlBool>`1 = 1`]));
    const by = await asMona.query(async (tx) =>
      (await allOf(unreadBy(tx, [mine.userId], await conversationsOf(tx, mine.userId)))).flat(),
    );
    await asMona.query((tx) => listUnread(tx, MESSAGES));
    const narrow = [{ operator: 'is', operand: 'unread' }];
    const page = await mona.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
    expect(performance.now() - began).toBeLessThan(20_000);
    const unread = received.filter((id) => id % 8 !== 0);
    expect(all.filter((id) => id >= first)).toEqual(unread);
    expect(by.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(unread);
    expect(page['messages'].map(({ id }: { id: number }) => id)).toEqual(unread.slice(-100));
  });
});
