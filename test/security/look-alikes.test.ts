import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Texts of which both databases have notions of their own: order, letter case, composition, what is no letter. */
const ODD = [
  '\u00e9',
  'e\u0301',
  'E\u0301',
  '\u0130',
  '\u0131',
  '\u00df',
  '\u1e9e',
  '\ufb01',
  '\u{1d400}',
  '\u202e',
  '\u200d',
  '\u{e0041}',
  '\u{10fffd}a',
  'Z\u0351'.repeat(8),
];

describe.each(databases)('names that look alike, on %s', (name) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(name);
  });
  afterAll(() => world.close());

  it('are one name where an organization wants names to be unique (protocol/users#names)', async () => {
    const { adam, max, mia } = world;
    await adam.patch('/realm', { require_unique_names: true });
    await max.patch('/settings', { full_name: 'Wren Warden' });
    const alike = [
      'wren warden',
      'WREN WARDEN',
      '\uff37ren Warden',
      'Wren\u200b Warden',
      'Wr\u00aden Warden',
      'Wren\ufffa Warden',
      'Wren  Warden',
      'Wren\u2028Warden',
      'Wren Warden\u2800',
      '\u{1d416}ren Warden',
    ];
    for (const full_name of alike)
      expect([full_name, (await mia.refused('PATCH', '/settings', { full_name })).msg]).toEqual([
        full_name,
        'Unique names required in this organization.',
      ]);
    // This one is shown as the other, and is not it letter by letter.
    for (const full_name of ['\u202enedraW nerW', 'W\u2067ren\u2069 Warden'])
      expect((await mia.refused('PATCH', '/settings', { full_name })).msg).toBe('Invalid characters in name!');
    await max.patch('/settings', { full_name: 'Wren Stra\u00dfe' });
    expect((await mia.refused('PATCH', '/settings', { full_name: 'WREN STRASSE' })).msg).toBe(
      'Unique names required in this organization.',
    );
    await max.patch('/settings', { full_name: 'Wren Warden' });
    await mia.patch('/settings', { full_name: 'Wren Warder' });
    await adam.patch('/realm', { require_unique_names: false });
    await mia.patch('/settings', { full_name: 'Wren Warden' });
  });

  it('belong to one channel exactly when they differ in letter case or composition alone (protocol/channels#names)', async () => {
    const { adam } = world;
    const subscribe = async (title: string) =>
      Object.values(
        (await adam.post('/users/me/subscriptions', { subscriptions: [{ name: title }] }))['subscribed'],
      ).flat().length;
    expect(await subscribe('Caf\u00e9')).toBe(1);
    for (const same of ['cafe\u0301', 'CAF\u00c9', 'CAFE\u0301'])
      expect([same, await subscribe(same)]).toEqual([same, 0]);
    for (const other of ['Cafe', 'Caf\u0435', 'Caf\u00e9\u200b'])
      expect([other, await subscribe(other)]).toEqual([other, 1]);
  });

  it('are found again as topics, in the order in which messages came', async () => {
    const { max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'odd' }] });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'odd' });
    for (const topic of ODD) await max.post('/messages', { type: 'channel', to: stream_id, topic, content: topic });
    const { topics } = await max.get(`/users/me/${stream_id}/topics`);
    const ids = topics.map(({ max_id }: { max_id: number }) => max_id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    for (const topic of ODD) {
      const narrow = [
        { operator: 'channel', operand: stream_id },
        { operator: 'topic', operand: topic },
      ];
      const { messages } = await max.get('/messages', {
        narrow,
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        apply_markdown: false,
      });
      expect([topic, messages.map(({ content }: { content: string }) => content)]).toEqual([
        topic,
        expect.arrayContaining([topic]),
      ]);
    }
  });

  it('do no harm in any list that is sorted', async () => {
    const { adam, max } = world;
    for (const [index, odd] of ODD.entries()) {
      await max.post('/saved_snippets', { title: `${odd} x`, content: odd });
      await adam.post('/user_groups/create', { name: `${odd} ${index}`, description: odd, members: [] });
      await adam.post('/channel_folders/create', { name: `${odd} ${index}`, description: odd });
    }
    const queue = await max.register();
    expect(queue.state['saved_snippets']).toHaveLength(ODD.length);
    expect((await max.get('/user_groups'))['user_groups'].length).toBeGreaterThanOrEqual(ODD.length);
  });
});
