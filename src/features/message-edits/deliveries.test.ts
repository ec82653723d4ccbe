import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { copyMessage } from '../../../test/support/copies.ts';
import { databases } from '../../../test/support/databases.ts';
import { leastStatements } from '../../../test/support/statements.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

/** Messages of a topic, and how many of them somebody receives before the others. */
const [MESSAGES, EARLY] = [30, 10];

describe.each(databases)('deliveries of moved messages on %s (decision 0051)', (database) => {
  let world: World;
  let topics = 0;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, mona, olive } = world;
    for (const name of ['birds', 'fish', 'plants']) await join(olive, name);
    await join(olive, 'birds', [max.userId, mia.userId]);
    const hidden = { invite_only: true, history_public_to_subscribers: false };
    await join(olive, 'den', [olive.userId, max.userId, mona.userId], hidden);
  });
  afterAll(() => world.close());

  const join = (who: Client, name: string, principals?: readonly number[], more: object = {}) =>
    who.post('/users/me/subscriptions', { subscriptions: [{ name }], ...(principals && { principals }), ...more });
  const leave = (who: Client, name: string) => who.delete('/users/me/subscriptions', { subscriptions: [name] });
  const idOf = async (stream: string): Promise<number> =>
    (await world.olive.get('/get_stream_id', { stream })).stream_id;
  /** A topic of its own; returns its messages, ascending. */
  const say = async (to: string, count = MESSAGES): Promise<readonly number[]> => {
    const body = { type: 'channel', to, topic: `topic ${++topics}`, content: 'hoo' };
    const { id } = await world.olive.post('/messages', body);
    if (count > 1) await copyMessage(world, id, count - 1);
    return Array.from({ length: count }, (_none, more) => id + more);
  };
  const move = async (ids: readonly number[], to: string, propagate_mode = 'change_all') => {
    const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
    await world.olive.patch(`/messages/${ids[0]}`, { stream_id: await idOf(to), propagate_mode, ...quiet });
  };
  /** Which of the messages somebody has received, and may read. */
  const ownOf = async (who: Client, ids: readonly number[]): Promise<readonly number[]> => {
    const { messages } = await who.get('/messages', { anchor: ids[0], num_before: 0, num_after: 1000, narrow: [] });
    return messages.map(({ id }: { id: number }) => id).filter((id: number) => ids.includes(id));
  };
  /** What is stored of the messages' deliveries. */
  const stored = async (ids: readonly number[]) => {
    const { realm, server } = world;
    return server.context.store.of(realm.id).query(async ({ db }) => {
      const messages = await db.selectFrom('message').select(['id', 'delivery_id']).execute();
      const own = new Set(messages.filter(({ id }) => ids.includes(id)).map((row) => row.delivery_id));
      const rows = await db.selectFrom('delivered_user').selectAll().execute();
      const flags = await db.selectFrom('message_flag').selectAll().where('flag', '=', 'delivered').execute();
      return {
        rows: rows.filter((row) => own.has(row.delivery_id)),
        all: rows.length,
        flags: flags.filter((row) => ids.includes(row.message_id)),
      };
    });
  };

  it('are a row for each person, not for each message', async () => {
    const { max, mia, olive } = world;
    const ids = await say('birds');
    await move(ids, 'fish');
    const { rows, flags } = await stored(ids);
    // Olive is subscribed there, too, and so has received them.
    expect(rows.map(({ user_id }) => Number(user_id)).toSorted((a, b) => a - b)).toEqual(
      [max.userId, mia.userId].toSorted((a, b) => a - b),
    );
    expect(flags).toEqual([]);
    for (const who of [max, mia, olive]) expect(await ownOf(who, ids)).toEqual(ids);
  });

  it('are left where messages move on, and end when they move back', async () => {
    const { max, mona } = world;
    const ids = await say('birds');
    await move(ids, 'fish');
    const { all } = await stored(ids);
    await move(ids, 'plants');
    expect((await stored(ids)).all).toBe(all);
    expect(await ownOf(max, ids)).toEqual(ids);
    expect(await ownOf(mona, ids)).toEqual([]);
    await move(ids, 'birds');
    expect(await stored(ids)).toMatchObject({ rows: [], all: all - 2 });
    expect(await ownOf(max, ids)).toEqual(ids);
  });

  it('stay for messages that stay, when others of them move on', async () => {
    const ids = await say('birds');
    await move(ids, 'fish');
    const [last, later] = [ids.slice(-EARLY), ids.slice(0, -EARLY)];
    await move(last, 'plants', 'change_later');
    expect(await ownOf(world.max, ids)).toEqual(ids);
    expect((await stored(later)).rows).toHaveLength(2);
    expect((await stored(last)).rows).toHaveLength(2);
  });

  it('lose who may not read the new place, and come to who is new there', async () => {
    const { max, mia, mona } = world;
    const ids = await say('birds');
    await move(ids, 'fish');
    await move(ids, 'den');
    expect(await ownOf(mia, ids)).toEqual([]);
    // Its history is protected, and Mona came to it before the messages were sent, so she has received them.
    for (const who of [max, mona]) expect(await ownOf(who, ids)).toEqual(ids);
    await move(ids, 'fish');
    expect(await ownOf(mia, ids)).toEqual([]);
    for (const who of [max, mona]) expect(await ownOf(who, ids)).toEqual(ids);
  });

  it('give subscribers what they did not have, where history is protected', async () => {
    const { mia } = world;
    const ids = await say('plants');
    await join(world.olive, 'den', [mia.userId]);
    const queue = await mia.register({ event_types: ['update_message', 'update_message_flags'] });
    await move(ids, 'den');
    expect(await ownOf(mia, ids)).toEqual(ids);
    expect((await queue.events()).map(({ type }) => type)).toEqual(['update_message']);
    const { messages } = await mia.get('/messages', { anchor: ids[0], num_before: 0, num_after: 1, narrow: [] });
    expect(messages[0].flags).toEqual(['read']);
    await leave(mia, 'den');
  });

  it('end with the last of their messages', async () => {
    const { adam } = world;
    const ids = await say('birds', 2);
    await move(ids, 'fish');
    const { all } = await stored(ids);
    const [first = 0, second = 0] = ids;
    await adam.delete(`/messages/${first}`);
    expect(await ownOf(world.max, ids)).toEqual([second]);
    expect((await stored(ids)).all).toBe(all);
    await adam.delete(`/messages/${second}`);
    expect((await stored(ids)).all).toBe(all - 2);
  });

  it('are read once when their topic is renamed: of many deliveries that is a million rows', async () => {
    const quiet = { propagate_mode: 'change_all', send_notification_to_new_thread: false };
    const renaming = ([id]: readonly number[]) =>
      leastStatements(world, () => world.olive.patch(`/messages/${id}`, { topic: `topic ${++topics}`, ...quiet }));
    const [received, delivered] = [await say('fish'), await say('birds')];
    await move(delivered, 'fish');
    expect(await renaming(delivered)).toBe((await renaming(received)) + 1);
  });

  it('have gaps, where somebody was away', async () => {
    const { max } = world;
    const topic = { type: 'channel', to: 'birds', topic: 'gaps', content: 'hoo' };
    const ids: number[] = [];
    const send = async (count: number) => {
      for (let sent = 0; sent < count; sent++) ids.push((await world.olive.post('/messages', topic)).id);
    };
    await send(3);
    await leave(max, 'birds');
    await send(2);
    await join(world.olive, 'birds', [max.userId]);
    await send(2);
    await move(ids, 'fish');
    const own = [...ids.slice(0, 3), ...ids.slice(5)];
    expect(await ownOf(max, ids)).toEqual(own);
    expect((await stored(ids)).rows.filter(({ user_id }) => user_id === Number(max.userId))).toHaveLength(2);
    await move(ids.slice(1, 2), 'plants', 'change_one');
    expect(await ownOf(max, ids)).toEqual(own);
    await move(ids, 'plants');
    expect(await ownOf(max, ids)).toEqual(own);
    const unread = await max.get('/messages', {
      anchor: ids[0],
      num_before: 0,
      num_after: 20,
      narrow: [['is', 'unread']],
    });
    expect(unread.messages.map(({ id }: { id: number }) => id).filter((id: number) => ids.includes(id))).toEqual(
      ids.slice(5),
    );
  });
});
