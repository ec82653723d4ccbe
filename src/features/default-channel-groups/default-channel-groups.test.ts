import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('groups of default channels on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const subscriptions = ['alpha', 'beta', 'gamma'].map((name) => ({ name }));
    await world.max.post('/users/me/subscriptions', { subscriptions });
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'closed' }], invite_only: true });
  });
  afterAll(() => world.close());

  const channelId = async (stream: string): Promise<number> =>
    (await world.max.get('/get_stream_id', { stream }))['stream_id'];
  const groups = async (viewer: Client = world.max): Promise<Body[]> =>
    (await viewer.register({ fetch_event_types: ['default_stream_groups'] })).state['realm_default_stream_groups'];
  const idOf = async (name: string) => (await groups()).find((group) => group['name'] === name)?.['id'];
  const make = (parameters: Body = {}) =>
    world.adam.post('/default_stream_groups/create', {
      group_name: 'Design',
      description: 'drawing',
      stream_names: ['alpha', ' BETA '],
      ...parameters,
    });

  it('are made by administrators, and everybody but guests is told (protocol/events#organization)', async () => {
    const { max, gus } = world;
    const [events, guestEvents] = await expectSync([max, gus], () => make());
    const streams = [await channelId('alpha'), await channelId('beta')];
    const id = await idOf('Design');
    const design = { id, name: 'Design', description: 'drawing', streams };
    expect(events).toMatchObject([{ type: 'default_stream_groups', default_stream_groups: [design] }]);
    expect(guestEvents).toEqual([]);
    expect(await groups(gus)).toEqual([]);
    await make({ group_name: 'Art', stream_names: [] });
    expect((await groups()).map((group) => group['name'])).toEqual(['Art', 'Design']);
  });

  it('are renamed, described and deleted', async () => {
    const { adam, max } = world;
    const id = await idOf('Art');
    const [events] = await expectSync([max], () =>
      adam.patch(`/default_stream_groups/${id}`, { new_group_name: ' Arts ', new_description: 'all' }),
    );
    expect(events).toMatchObject([{ default_stream_groups: [{ id, name: 'Arts', description: 'all' }, {}] }]);
    const [none] = await expectSync([max], () =>
      adam.patch(`/default_stream_groups/${id}`, { new_group_name: 'Arts' }),
    );
    expect(none).toEqual([]);
    const [gone] = await expectSync([max], () => adam.delete(`/default_stream_groups/${id}`));
    expect(gone?.[0]?.['default_stream_groups'].map((group: Body) => group['name'])).toEqual(['Design']);
    expect((await adam.refused('DELETE', `/default_stream_groups/${id}`)).msg).toBe(
      `Default channel group with id '${id}' does not exist.`,
    );
  });

  it('take channels in and give them up', async () => {
    const { adam, max } = world;
    const path = `/default_stream_groups/${await idOf('Design')}/streams`;
    const [events] = await expectSync([max], () => adam.patch(path, { op: 'add', stream_names: ['gamma', 'Gamma'] }));
    expect(events?.[0]?.['default_stream_groups'][0].streams).toContain(await channelId('gamma'));
    const [removed] = await expectSync([max], () => adam.patch(path, { op: 'remove', stream_names: ['beta'] }));
    expect(removed?.[0]?.['default_stream_groups'][0].streams).not.toContain(await channelId('beta'));
    const [none] = await expectSync([max], () => adam.patch(path, { op: 'add', stream_names: [] }));
    expect(none).toEqual([]);
  });

  it('let go of channels that are archived or become private, before clients do (protocol/events#order)', async () => {
    const { adam, max } = world;
    const [events] = await expectSync([max], async () => adam.delete(`/streams/${await channelId('gamma')}`));
    expect(events?.map((event) => event['type'])).toEqual(['default_stream_groups', 'stream']);
    await adam.patch(`/default_stream_groups/${await idOf('Design')}/streams`, { op: 'add', stream_names: ['beta'] });
    const id = await channelId('beta');
    await expectSync([max], () => max.patch(`/streams/${id}`, { is_private: true }));
    expect((await groups())[0]).toMatchObject({ name: 'Design', streams: [await channelId('alpha')] });
  });

  it('refuse what cannot be (protocol/channels#default-channels)', async () => {
    const { adam, max, gus } = world;
    const id = await idOf('Design');
    const create = { group_name: 'x', description: '', stream_names: [] };
    for (const client of [max, gus])
      expect(await client.refused('POST', '/default_stream_groups/create', create)).toMatchObject({
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization administrator',
      });
    await adam.post('/default_streams', { stream_id: await channelId('alpha') });
    const table: readonly (readonly ['POST' | 'PATCH', string, Body, string])[] = [
      ['POST', 'create', { ...create, group_name: '' }, "Invalid default channel group name ''"],
      ['POST', 'create', { ...create, group_name: 'Design' }, "Default channel group 'Design' already exists"],
      [
        'POST',
        'create',
        { ...create, group_name: 'x'.repeat(61) },
        'Default channel group name too long (limit: 60 characters).',
      ],
      ['POST', 'create', { ...create, stream_names: ['nowhere'] }, "Invalid channel name 'nowhere'"],
      ['POST', 'create', { ...create, stream_names: ['closed'] }, 'Private channels cannot be made default.'],
      [
        'POST',
        'create',
        { ...create, stream_names: ['alpha'] },
        "'alpha' is a default channel and cannot be added to 'x'",
      ],
      ['PATCH', `${id}`, {}, 'You must pass "new_description" or "new_group_name".'],
      ['PATCH', '999999', { new_description: 'x' }, "Default channel group with id '999999' does not exist."],
      [
        'PATCH',
        `${id}/streams`,
        { op: 'replace', stream_names: [] },
        'Invalid value for "op". Specify one of "add" or "remove".',
      ],
      [
        'PATCH',
        `${id}/streams`,
        { op: 'remove', stream_names: ['closed'] },
        "Channel 'closed' is not present in default channel group 'Design'",
      ],
    ];
    const before = await groups();
    for (const [method, path, parameters, msg] of table)
      expect((await adam.refused(method, `/default_stream_groups/${path}`, parameters)).msg).toBe(msg);
    await adam.delete('/default_streams', { stream_id: await channelId('alpha') });
    expect(
      (await adam.refused('PATCH', `/default_stream_groups/${id}/streams`, { op: 'add', stream_names: ['alpha'] })).msg,
    ).toBe("Channel 'alpha' is already present in default channel group 'Design'");
    expect(await groups()).toEqual(before);
  });

  it('have one name each, also when two are made at once', async () => {
    const replies = await Promise.all(
      [1, 2, 3].map(() =>
        world.adam.request('POST', '/default_stream_groups/create', {
          group_name: 'Twin',
          description: '',
          stream_names: [],
        }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  });
});
