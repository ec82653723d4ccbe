import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { asId, type MessageId } from '#kernel/ids';
import { type ReadTx, sql } from '#kernel/store';
import { countEmojiOn } from '../core/index.ts';
import { MAX_EMOJI } from './errors.ts';

const MANY = 200_000;
/**
 * Milliseconds that reacting may take beside twice those of a message with few reactions; counting them all takes 50 to
 * 200.
 */
const MAX_MORE_MS = 25;
const ROUNDS = 6;

describe.each(databases)('a message with very many reactions on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    const principals = [max.userId, mia.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'crowd' }], principals });
  });
  afterAll(() => world.close());

  /**
   * A message to which people reacted so often, each with the next of so many emoji, and the last of them with an owl.
   */
  async function messageWith(reactions: number, emoji: number): Promise<MessageId> {
    const { max, server, realm } = world;
    const { id } = await max.post('/messages', { type: 'channel', to: 'crowd', topic: 'all', content: 'hello' });
    const columns = sql`realm_id, message_id, user_id, emoji_name, emoji_code, reaction_type`;
    const [person, code] = [sql`1000000 + i / ${sql.lit(emoji)}`, sql`'e' || (i % ${sql.lit(emoji)})`];
    await server.context.store.of(realm.id).write(async ({ db }) => {
      await sql`insert into reaction (${columns})
        with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(reactions - 1)})
        select ${sql.lit(realm.id)}, ${sql.lit(id)}, ${person}, 'e', ${code}, 'realm_emoji' from n`.execute(db);
      await sql`insert into reaction (${columns}) values
        (${realm.id}, ${id}, 2000000, 'owl', '1f989', 'unicode_emoji')`.execute(db);
    });
    return asId<MessageId>(id);
  }

  it('has as many emoji as there are of each kind, up to the bound', async () => {
    const { server, realm } = world;
    const ids = [await messageWith(1, 1), await messageWith(90, 30), await messageWith(500, 250)];
    const counts = await server.context.store.of(realm.id).query(async (tx) => {
      const found: number[] = [];
      for (const id of [asId<MessageId>(1_000_000), ...ids]) found.push(await countEmojiOn(tx, id, MAX_EMOJI));
      return found;
    });
    expect(counts).toEqual([0, 2, 31, MAX_EMOJI]);
  });

  it.each(['heard', 'not heard'])('has its emoji found in the index where the database has %s of it', async (heard) => {
    const { server, realm } = world;
    const id = await messageWith(5000, 40);
    if (heard === 'heard' && database === 'postgres')
      await server.context.store.write((tx) => sql`analyze reaction`.execute(tx.db));
    const explain = database === 'postgres' ? 'explain (costs off)' : 'explain query plan';
    const plan = await server.context.store.of(realm.id).query(async (tx) => {
      let lines: string[] = [];
      const execute: ReadTx['execute'] = async (statement) => {
        const { rows } = await tx.execute<object>({ ...statement, sql: `${explain} ${statement.sql}` });
        lines = rows.map((row) => String(Object.values(row).at(-1)));
        return { rows: [] };
      };
      await countEmojiOn({ ...tx, execute }, id, MAX_EMOJI);
      return lines;
    });
    expect(plan.filter((line) => line.includes('reaction_message_id_reaction_type_emoji_code'))).toHaveLength(3);
    expect(plan.join('\n')).not.toMatch(/sort|b-tree|seq scan on reaction|scan reaction/i);
  });

  /** Milliseconds of reacting with an emoji that the message does not have, and with one that one person has used. */
  async function reactingMs(id: MessageId): Promise<number> {
    const began = performance.now();
    for (const emoji_name of ['tada', 'owl']) await world.mia.post(`/messages/${id}/reactions`, { emoji_name });
    const took = performance.now() - began;
    for (const emoji_name of ['tada', 'owl']) await world.mia.delete(`/messages/${id}/reactions`, { emoji_name });
    return took;
  }

  it('takes one more as fast as a message with few', async () => {
    const ids = [await messageWith(40, 40), await messageWith(MANY, 40), await messageWith(MANY, MAX_EMOJI - 2)];
    const times = ids.map(() => Infinity);
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, id] of ids.entries()) times[index] = Math.min(times[index] ?? 0, await reactingMs(id));
    const [few = 0, ...many] = times;
    expect(Math.max(...many)).toBeLessThan(2 * few + MAX_MORE_MS);
  });
});
