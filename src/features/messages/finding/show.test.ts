import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import { urlOf } from '../../../../test/support/postgres-databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { asId, type MessageId } from '#kernel/ids';
import { findLight, weighMessages } from '../core/index.ts';

describe.runIf(databases.includes('postgres'))('a page of messages on PostgreSQL', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld('postgres');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await world.close();
  });

  it('asks together for everything that belongs to its messages', async () => {
    const { max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }] });
    for (const content of ['first', 'second'])
      await max.post('/messages', { type: 'channel', to: 'nest', topic: 'eggs', content });
    const page = () =>
      max.get('/messages', { narrow: [['channel', 'nest']], anchor: 'newest', num_before: 10, num_after: 0 });
    await page();
    const port = Number(new URL(urlOf('')).port);
    const [one, many] = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')];
    const { messages } = await page();
    const isToDatabase = (socket: unknown) => (socket as Socket).remotePort === port;
    const written = [...one.mock.contexts, ...many.mock.contexts].filter(isToDatabase).length;
    expect(messages).toHaveLength(2);
    // A look for changes, the beginning of the snapshot with another, IDs, messages, what belongs to them, and the end.
    expect(written).toBeLessThanOrEqual(6);
  });
});

describe.each(databases)('the weight of messages, on %s', (database) => {
  it('counts their texts, former versions of lists, reactions and parts of widgets, also of all together', async () => {
    const world = await openWorld(database);
    const { max, server, realm } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }] });
    const send = async (content: string): Promise<number> =>
      (await max.post('/messages', { type: 'channel', to: 'nest', topic: 'eggs', content }))['id'];
    const sent = [
      await send('a'),
      await send('a'),
      await send('é'.repeat(1000)),
      await send('/poll a'),
      await send('a'),
    ];
    const [, reacted, , poll, edited] = sent;
    for (const emoji_name of ['owl', 'tada']) await max.post(`/messages/${reacted}/reactions`, { emoji_name });
    await max.post('/submessage', {
      message_id: poll,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'new_option', option: 'x'.repeat(500), idx: 1 }),
    });
    await max.patch(`/messages/${edited}`, { content: 'b' });
    const to = [world.mia.userId, world.adam.userId];
    const { id: direct } = await max.post('/messages', { type: 'direct', to, content: 'a' });
    const key = [max.userId, ...to].toSorted((a, b) => a - b).join();
    const ids = [...sent, direct].map(asId<MessageId>);
    const weighed = await server.context.store.of(realm.id).read(async (tx) => {
      const bytes = (await weighMessages(tx, ids)).map((one) => Number(one.bytes));
      const whole = bytes.reduce((sum, one) => sum + one, 0);
      return { bytes, light: await findLight(tx, ids, whole), heavy: await findLight(tx, ids, whole - 1) };
    });
    await world.close();
    expect(weighed.light.map((row) => row.id)).toEqual(ids);
    expect(weighed.heavy).toEqual([]);
    const [least = 0, ...more] = weighed.bytes;
    expect(least).toBe('a<p>a</p>'.length);
    expect(more.map((one) => Math.floor((one - least) / 50))).toEqual([
      16,
      79,
      20,
      1,
      Math.floor((key.length * 20) / 50),
    ]);
  });
});
