import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('channel folders on %s', (database) => {
  let world: World;
  let backend: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam } = world;
    backend = (await adam.post('/channel_folders/create', { name: ' Backend ', description: 'the <insides>' }))[
      'channel_folder_id'
    ];
  });
  afterAll(() => world.close());

  it('tells everybody of a new folder, guests included (protocol/channel-folders#creating)', async () => {
    const { adam, gus } = world;
    const [events] = await expectSync([gus], () =>
      adam.post('/channel_folders/create', { name: 'Frontend', description: '' }),
    );
    expect(events).toMatchObject([
      {
        type: 'channel_folder',
        op: 'add',
        channel_folder: { name: 'Frontend', description: '', rendered_description: '', creator_id: adam.userId },
      },
    ]);
  });

  it('lists folders to every account', async () => {
    const { channel_folders } = await world.gus.get('/channel_folders');
    expect(channel_folders[0]).toEqual({
      id: backend,
      name: 'Backend',
      description: 'the <insides>',
      rendered_description: '<p>the &lt;insides&gt;</p>',
      order: backend,
      date_created: world.clock.now(),
      creator_id: world.adam.userId,
      is_archived: false,
    });
  });

  it('is for administrators only, before any parameter is read', async () => {
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator', status: 400 };
    for (const client of [world.mona, world.max, world.gus]) {
      expect(await client.refused('POST', '/channel_folders/create')).toMatchObject(refusal);
      expect(await client.refused('PATCH', `/channel_folders/${backend}`)).toMatchObject(refusal);
      expect(await client.refused('PATCH', '/channel_folders')).toMatchObject(refusal);
    }
  });

  it.each([
    [{ name: 'x' }, "Missing 'description' argument"],
    [{ description: '' }, "Missing 'name' argument"],
    [{ description: 'd'.repeat(1025), name: 'x' }, 'description is too long (limit: 1024 characters)'],
    [{ description: '', name: 'n'.repeat(61) }, 'name is too long (limit: 60 characters)'],
    [{ description: '', name: ' \t ' }, "Channel folder name can't be empty."],
    [{ description: '', name: 'a\u0007b' }, 'Invalid character in channel folder name, at position 2.'],
    [{ description: '', name: 'bACKEND' }, 'Channel folder name already in use'],
  ])('refuses %j', async (parameters, msg) => {
    expect((await world.adam.refused('POST', '/channel_folders/create', parameters)).msg).toBe(msg);
  });

  it('announces what changed of a folder, and nothing when nothing did (protocol/channel-folders#changing)', async () => {
    const { adam, gus } = world;
    const [events] = await expectSync([gus], async () => {
      await adam.patch(`/channel_folders/${backend}`, { name: 'Back end', description: 'the <insides>' });
      await adam.patch(`/channel_folders/${backend}`, { name: 'Back end', is_archived: false });
      await adam.patch(`/channel_folders/${backend}`, { description: 'parts' });
    });
    expect(events).toMatchObject([
      { op: 'update', channel_folder_id: backend, data: { name: 'Back end' } },
      { op: 'update', data: { description: 'parts', rendered_description: '<p>parts</p>' } },
    ]);
    expect((await adam.refused('PATCH', '/channel_folders/999999', { name: 'x' })).msg).toBe(
      'Invalid channel folder ID',
    );
  });

  it('gives the name of an archived folder away, and not back while it is in use', async () => {
    const { adam } = world;
    const { channel_folder_id: old } = await adam.post('/channel_folders/create', { name: 'Attic', description: '' });
    await adam.patch(`/channel_folders/${old}`, { is_archived: true });
    await adam.post('/channel_folders/create', { name: 'Attic', description: '' });
    const refusal = await adam.refused('PATCH', `/channel_folders/${old}`, { is_archived: false });
    expect(refusal.msg).toBe('Channel folder name already in use');
    const { channel_folders } = await adam.get('/channel_folders');
    expect(channel_folders.map((folder: { id: number }) => folder.id)).not.toContain(old);
  });

  it('takes an order that names every folder once', async () => {
    const { adam, gus } = world;
    const { channel_folders } = await adam.get('/channel_folders', { include_archived: true });
    const ids: number[] = channel_folders.map((folder: { id: number }) => folder.id);
    const order = ids.toReversed();
    const [events] = await expectSync([gus], () => adam.patch('/channel_folders', { order }));
    expect(events).toMatchObject([{ type: 'channel_folder', op: 'reorder', order }]);
    for (const wrong of [order.slice(1), [...order, 999_999], [...order.slice(1), order[1]]])
      expect((await adam.refused('PATCH', '/channel_folders', { order: wrong })).msg).toBe('Invalid order mapping.');
  });

  it('gives one name to one of many who ask for it at once', async () => {
    const asks = Array.from({ length: 10 }, () =>
      world.adam.request('POST', '/channel_folders/create', { name: 'Race', description: '' }),
    );
    const statuses = (await Promise.all(asks)).map((reply) => reply.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });
});
