import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { animation, plain } from '../../../test/support/pictures.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('custom emoji on %s', (database) => {
  let world: World;
  let picture: Buffer;
  beforeAll(async () => {
    world = await openWorld(database);
    picture = await plain(200, 100).png().toBuffer();
  });
  afterAll(() => world.close());

  const add = (client: Client, name: string, content: string | Buffer = picture) =>
    client.send('POST', `/realm/emoji/${encodeURIComponent(name)}`, [{ name: 'x.png', content }]);

  it('makes an emoji that everybody sees, as a whole or one by one', async () => {
    const { max, mia, gus, olive } = world;
    const plainQueue = await mia.register();
    const [events] = await expectSync([gus, olive], () => add(max, ' night owl '), { fields: ['realm_emoji'] });
    const { emoji } = await gus.get('/realm/emoji');
    const one = Object.values(emoji).at(-1) as Record<string, unknown>;
    expect(one).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'night_owl',
      source_url: expect.stringMatching(/^\/user_avatars\/\d+\/emoji\/images\/\w+\.png$/),
      still_url: null,
      deactivated: false,
      author_id: max.userId,
    });
    expect(events).toMatchObject([{ type: 'realm_emoji', op: 'add', emoji: one }]);
    expect(await plainQueue.events()).toMatchObject([{ type: 'realm_emoji', op: 'update', realm_emoji: emoji }]);
    const image = await world.spectator.fetch(String(one['source_url']));
    expect(image.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    expect(image.rawPayload.readUInt32BE(16)).toBe(64);
  });

  it('keeps an animation moving, and has a still of it', async () => {
    await add(world.max, 'dance', await (await animation(3, [80, 80])).gif().toBuffer());
    const { emoji } = await world.max.get('/realm/emoji');
    const dance = Object.values<Body>(emoji).find((one) => one['name'] === 'dance') as Body;
    expect(dance['source_url']).toMatch(/\.gif$/);
    expect((await world.gus.fetch(dance['still_url'])).headers['content-type']).toBe('image/png');
    expect((await world.gus.fetch(dance['source_url'])).headers['content-type']).toBe('image/gif');
  });

  it('deactivates an emoji under both words, and frees its name', async () => {
    const { max, mia, olive } = world;
    await add(max, 'mayfly');
    expect(await mia.refused('DELETE', '/realm/emoji/mayfly')).toMatchObject({
      status: 400,
      msg: 'Must be an organization administrator or emoji author',
    });
    const [events] = await expectSync([mia], () => olive.delete('/realm/emoji/mayfly'), { fields: ['realm_emoji'] });
    const data = { deactivated: true };
    expect(events).toMatchObject([
      { type: 'realm_emoji', op: 'update_one', data },
      { type: 'realm_emoji', op: 'edit', data },
    ]);
    expect(await olive.refused('DELETE', '/realm/emoji/mayfly')).toMatchObject({
      status: 404,
      msg: "Emoji 'mayfly' does not exist",
    });
    expect((await add(mia, 'mayfly')).status).toBe(200);
    const { realm_emoji } = (await max.register()).state;
    expect(Object.values<Body>(realm_emoji).filter((one) => one['name'] === 'mayfly')).toHaveLength(2);
  });

  it.each([
    ['   ', 'Emoji name is missing'],
    ['snow_', 'Emoji names must end with either a letter or digit.'],
    ['Größe', 'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.'],
    ['../x', 'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.'],
  ])('refuses the name %j', async (name, msg) => {
    expect(await add(world.max, name)).toMatchObject({ status: 400, body: { msg } });
  });

  it('refuses what is no picture, no file, too many files, and too large ones', async () => {
    const { max } = world;
    expect((await add(max, 'svg', '<svg onload="alert(1)"/>')).body).toMatchObject({
      code: 'BAD_IMAGE',
      msg: 'Invalid image format',
    });
    expect((await add(max, 'big', Buffer.alloc(5 * 1024 * 1024 + 1))).body).toMatchObject({
      msg: 'Uploaded file is larger than the allowed limit of 5 MiB',
    });
    const one = { name: 'x.png', content: picture };
    const exactly = { status: 400, body: { msg: 'You must upload exactly one file.' } };
    expect(await max.send('POST', '/realm/emoji/none', [])).toMatchObject(exactly);
    expect(await max.send('POST', '/realm/emoji/two', [one, one])).toMatchObject(exactly);
  });

  it('leaves standard names to administrators, and everything to those who hold the permission', async () => {
    const { max, olive, gus, spectator } = world;
    expect((await add(max, 'heart')).body).toMatchObject({ msg: 'Only administrators can override default emoji.' });
    expect((await add(olive, 'heart')).status).toBe(200);
    expect((await add(gus, 'guest')).body).toMatchObject({ msg: 'Not allowed for guest users' });
    expect((await add(spectator, 'nobody')).status).toBe(401);
  });

  it('gives a name to one of two who want it at once', async () => {
    const replies = await Promise.all([add(world.max, 'contested'), add(world.mia, 'contested')]);
    expect(new Set(replies.map((reply) => reply.body['msg']))).toEqual(
      new Set(['', 'A custom emoji with this name already exists.']),
    );
    expect((await add(world.max, 'contested')).status).toBe(400);
  });
});
