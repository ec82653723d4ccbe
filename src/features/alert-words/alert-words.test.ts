import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import type { Client } from '../../../test/support/client.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('alert words on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const path = '/users/me/alert_words';
  const add = async (who: Client, ...words: string[]) => (await who.post(path, { alert_words: words }))['alert_words'];
  const remove = async (who: Client, ...words: string[]) =>
    (await who.delete(path, { alert_words: words }))['alert_words'];

  it('are added trimmed and once, told to their owner alone, and removed in any letter case (protocol/settings#alert-words)', async () => {
    const { max, mia } = world;
    const [own, others] = await expectSync([max, mia], async () => {
      expect(await add(max, ' Hoopoe ', 'blue heron', '', '  ', 'hoopoe')).toEqual(['Hoopoe', 'blue heron']);
      expect(await add(max, 'HOOPOE', 'Blue Heron')).toEqual(['Hoopoe', 'blue heron']);
      expect(await add(max, 'Éider', 'wren')).toEqual(['Hoopoe', 'blue heron', 'Éider', 'wren']);
      expect(await remove(max, 'hoopoe ', 'éIDER', 'unknown')).toEqual(['blue heron', 'wren']);
      expect(await remove(max, 'unknown')).toEqual(['blue heron', 'wren']);
      expect(await remove(max)).toEqual(['blue heron', 'wren']);
    });
    expect(own).toMatchObject([
      { type: 'alert_words', alert_words: ['Hoopoe', 'blue heron'] },
      { type: 'alert_words', alert_words: ['Hoopoe', 'blue heron', 'Éider', 'wren'] },
      { type: 'alert_words', alert_words: ['blue heron', 'wren'] },
    ]);
    expect(others).toEqual([]);
    expect((await max.get(path))['alert_words']).toEqual(['blue heron', 'wren']);
    expect((await mia.get(path))['alert_words']).toEqual([]);
    expect((await max.register({ fetch_event_types: ['alert_words'] })).state['alert_words']).toEqual([
      'blue heron',
      'wren',
    ]);
  });

  it('are refused when they are no list of short texts, or too many', async () => {
    const refused = async (fields: object, method: 'POST' | 'DELETE' = 'POST') =>
      (await world.gus.refused(method, path, { ...fields })).msg;
    expect(await refused({})).toBe("Missing 'alert_words' argument");
    expect(await refused({}, 'DELETE')).toBe("Missing 'alert_words' argument");
    expect(await refused({ alert_words: 'wren' })).toBe('alert_words is not valid JSON');
    expect(await refused({ alert_words: [3] })).toBe('alert_words[0] is not a string');
    expect(await refused({ alert_words: ['x'.repeat(101)] })).toBe(
      'alert_words[0] is too long (limit: 100 characters)',
    );
    expect(await refused({ alert_words: ['fine', 'a\u0000b'] })).toBe(
      'Invalid alert_words[1]: Value error, null bytes are not allowed',
    );
    expect(await add(world.gus, '😀'.repeat(100))).toHaveLength(1);
    const many = Array.from({ length: 1000 }, (_, index) => `word ${index}`);
    expect(await refused({ alert_words: many })).toBe('You can have at most 1000 alert words.');
    expect((await world.gus.get(path))['alert_words']).toHaveLength(1);
    expect((await world.spectator.request('GET', path)).status).toBe(401);
  });

  it('added twice at once are kept once', async () => {
    const { adam } = world;
    await Promise.all([add(adam, 'osprey'), add(adam, 'Osprey'), add(adam, 'osprey', 'kite')]);
    expect((await adam.get(path))['alert_words'].map((word: string) => word.toLowerCase()).toSorted()).toEqual([
      'kite',
      'osprey',
    ]);
  });
});

describe.each(databases)('messages with alert words on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, gus } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'birds' }],
      principals: [max.userId, mia.userId, gus.userId],
    });
  });
  afterAll(() => world.close());

  const watch = (who: Client, ...words: string[]) => who.post('/users/me/alert_words', { alert_words: words });
  const send = (who: Client, content: string) =>
    who.post('/messages', { type: 'channel', to: 'birds', topic: 'nests', content });
  const flagsOf = async (who: Client, id: number) =>
    (await who.get('/messages', { message_ids: [id] }))['messages'][0].flags;

  it('are flagged for each receiver with such a word, the sender too, from the moment the word is watched for (protocol/settings#alert-words)', async () => {
    const { max, mia, gus, mona } = world;
    const before = await send(max, 'a hoopoe!');
    await Promise.all([watch(max, 'hoopoe'), watch(mia, 'Hoopoe'), watch(mona, 'hoopoe')]);
    const queues = [];
    for (const who of [max, mia, gus]) queues.push(await who.register({ event_types: ['message'] }));
    const overhearing = await mona.register({ event_types: ['message'], all_public_streams: true });
    const { id } = await send(max, 'Look, a HOOPOE: there');
    const flags = [];
    for (const queue of queues) flags.push((await queue.events()).map((event) => event['flags']));
    expect(flags).toEqual([[['has_alert_word']], [['has_alert_word']], [[]]]);
    expect(await overhearing.events()).toMatchObject([{ flags: [] }]);
    expect(await flagsOf(mia, id)).toEqual(['has_alert_word']);
    expect(await flagsOf(gus, id)).toEqual([]);
    expect(await flagsOf(mia, before['id'])).toEqual([]);
    const narrow = [{ operator: 'is', operand: 'alerted' }];
    const { messages } = await mia.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
    expect(messages.map((message: { id: number }) => message.id)).toEqual([id]);
  });

  it('are flagged anew when they are edited, and no more once the word is given up', async () => {
    const { max, gus } = world;
    await watch(gus, 'bee-eater');
    const { id } = await send(max, 'nothing yet');
    const queue = await gus.register({ event_types: ['update_message'] });
    await max.patch(`/messages/${id}`, { content: 'two words: (bee-eater)' });
    expect(await flagsOf(gus, id)).toEqual(['has_alert_word']);
    await max.patch(`/messages/${id}`, { content: 'inside another: bee-eaters' });
    expect(await flagsOf(gus, id)).toEqual([]);
    expect((await queue.events()).map((event) => event['flags'])).toEqual([['has_alert_word'], []]);
    await gus.delete('/users/me/alert_words', { alert_words: ['bee-eater'] });
    const { id: later } = await send(max, 'bee-eater');
    expect(await flagsOf(gus, later)).toEqual([]);
  });

  it('are flagged in direct messages for those who take part', async () => {
    const { max, mia, gus } = world;
    await Promise.all([watch(mia, 'stork'), watch(gus, 'stork')]);
    const queues = [await mia.register(), await gus.register()] as const;
    const { id } = await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'a `stork`.' });
    expect(await flagsOf(mia, id)).toEqual(['has_alert_word']);
    expect((await queues[0].events()).map((event) => event['type'])).toContain('message');
    expect(await queues[1].events()).toEqual([]);
  });

  it.runIf(database === 'postgres')(
    'are found by another process, too, as soon as it has heard of the word',
    async () => {
      const { max } = world;
      const other = await world.anotherServer();
      const there = max.at(other);
      expect(await flagsOf(max, (await send(there, 'a roller'))['id'])).toEqual([]);
      const queue = await there.register({ event_types: ['alert_words'] });
      const heard = queue.wait();
      await watch(max, 'roller');
      expect(await heard).toMatchObject([{ type: 'alert_words' }]);
      expect(await flagsOf(max, (await send(there, 'a roller'))['id'])).toEqual(['has_alert_word']);
    },
  );
});
