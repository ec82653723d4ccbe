import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const url = '/navigation_views';

describe.each(databases)('navigation views on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('have fragments that every database can find them by', async () => {
    // The bytes must not be alike, or they are packed.
    const fragment = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => String.fromCodePoint(from + ((i * 7919) % 40_000))).join('');
    const view = (text: string) => ({ fragment: text, is_pinned: true, name: 'x' });
    expect((await world.gus.refused('POST', url, view(fragment(0x20000, 1000)))).msg).toBe('fragment is too long');
    await world.gus.post(url, view(fragment(0x20000, 500)));
  });

  it('are kept, changed and forgotten by one user, who alone hears of it (protocol/saved#navigation-views)', async () => {
    const { max, mia } = world;
    const starred = 'narrow/is/starred';
    const custom = 'narrow/channel/7-b%C3%B6gel/topic/x';
    const [own, others] = await expectSync([max, mia], async () => {
      await max.post(url, { fragment: starred, is_pinned: true });
      await max.post(url, { fragment: ` ${custom} `, is_pinned: false, name: ' Birds ' });
      expect((await max.get(url))['navigation_views']).toEqual([
        { fragment: starred, is_pinned: true, name: null },
        { fragment: custom, is_pinned: false, name: 'Birds' },
      ]);
      await max.patch(`${url}/${encodeURIComponent(custom)}`, { name: 'Nests', is_pinned: false });
      await max.patch(`${url}/${starred}`, { is_pinned: false });
      await max.patch(`${url}/${encodeURIComponent(starred)}`, { is_pinned: false });
      await max.patch(`${url}/${starred}`);
      await max.delete(`${url}/${starred}`);
    });
    expect(own).toMatchObject([
      { type: 'navigation_view', op: 'add', navigation_view: { fragment: starred, is_pinned: true, name: null } },
      { type: 'navigation_view', op: 'add', navigation_view: { fragment: custom, is_pinned: false, name: 'Birds' } },
      { type: 'navigation_view', op: 'update', fragment: custom, data: { name: 'Nests' } },
      { type: 'navigation_view', op: 'update', fragment: starred, data: { is_pinned: false } },
      { type: 'navigation_view', op: 'remove', fragment: starred },
    ]);
    expect(own?.map((event) => Object.keys(event['data'] ?? {}).length)).toEqual([0, 0, 1, 1, 0]);
    expect(others).toEqual([]);
    const { state } = await max.register({ fetch_event_types: ['navigation_views'] });
    expect(state['navigation_views']).toEqual([{ fragment: custom, is_pinned: false, name: 'Nests' }]);
  });

  it('are refused with the first thing wrong', async () => {
    const { gus } = world;
    await gus.post(url, { fragment: 'inbox', is_pinned: true });
    await gus.post(url, { fragment: 'own', is_pinned: true, name: 'Own' });
    const refused = async (fields: object) => (await gus.refused('POST', url, { ...fields })).msg;
    expect(await refused({})).toBe("Missing 'fragment' argument");
    expect(await refused({ fragment: ' ', is_pinned: true })).toBe('fragment cannot be blank');
    expect(await refused({ fragment: 'x' })).toBe("Missing 'is_pinned' argument");
    expect(await refused({ fragment: 'inbox', is_pinned: true, name: 'x' })).toBe('Navigation view already exists.');
    expect(await refused({ fragment: 'recent', is_pinned: true, name: 'x' })).toBe(
      'Built-in views cannot have a custom name.',
    );
    expect(await refused({ fragment: 'x', is_pinned: true })).toBe('Custom views must have a valid name.');
    expect(await refused({ fragment: 'x', is_pinned: true, name: ' ' })).toBe('Custom views must have a valid name.');
    const renamed = async (fragment: string, name: string) =>
      (await gus.refused('PATCH', `${url}/${fragment}`, { name })).msg;
    expect(await renamed('inbox', 'x')).toBe('Built-in views cannot have a custom name.');
    expect(await renamed('own', '')).toBe('Custom views must have a valid name.');
    expect((await world.spectator.request('GET', url)).status).toBe(401);
  });

  it('of somebody else look like ones that do not exist', async () => {
    const { max, mia } = world;
    await max.post(url, { fragment: 'feed', is_pinned: true });
    for (const fragment of ['feed', 'nothing']) {
      const expected = { status: 404, code: 'BAD_REQUEST', msg: 'Navigation view does not exist.' };
      expect(await mia.refused('PATCH', `${url}/${fragment}`, { is_pinned: false })).toMatchObject(expected);
      expect(await mia.refused('DELETE', `${url}/${fragment}`)).toMatchObject(expected);
    }
    expect((await max.get(url))['navigation_views']).toContainEqual({ fragment: 'feed', is_pinned: true, name: null });
  });

  it('added twice at once are kept once', async () => {
    const { olive } = world;
    const add = () => olive.request('POST', url, { fragment: 'recent', is_pinned: true });
    const replies = await Promise.all([add(), add()]);
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await olive.get(url))['navigation_views']).toHaveLength(1);
  });
});
