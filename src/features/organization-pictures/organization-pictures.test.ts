import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { plain } from '../../../test/support/pictures.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('pictures of the organization on %s', (database) => {
  let world: World;
  let content: Buffer;
  beforeAll(async () => {
    world = await openWorld(database);
    content = await plain(300, 150).png().toBuffer();
  });
  afterAll(() => world.close());

  const file = () => ({ name: 'x.png', content });

  it('changes the icon for everybody, and back', async () => {
    const { adam, gus, spectator } = world;
    const drawn = (await spectator.fetch('/user_avatars/realm/icon.png')).rawPayload;
    const [events] = await expectSync([gus], () => adam.send('POST', '/realm/icon', [file()]), {
      fields: ['realm_icon_url', 'realm_icon_source'],
    });
    const icon_url = `/user_avatars/${world.realm.id}/realm/icon.png?version=2`;
    expect(events).toMatchObject([
      { type: 'realm', op: 'update_dict', property: 'icon', data: { icon_url, icon_source: 'U' } },
    ]);
    const redirect = await spectator.fetch('/api/v1/realm/icon?x=1');
    expect([redirect.statusCode, redirect.headers['location']]).toEqual([302, `${icon_url}&x=1`]);
    const shown = (await spectator.fetch(icon_url)).rawPayload;
    expect([shown.readUInt32BE(16), shown.readUInt32BE(20)]).toEqual([100, 100]);
    expect((await spectator.fetch('/user_avatars/realm/icon.png')).rawPayload.equals(shown)).toBe(true);
    const queue = await gus.register();
    await adam.delete('/realm/icon');
    await adam.delete('/realm/icon');
    expect(await queue.events()).toMatchObject([{ property: 'icon', data: { icon_source: 'G' } }]);
    expect((await spectator.fetch('/user_avatars/realm/icon.png')).rawPayload.equals(drawn)).toBe(true);
    expect((await spectator.fetch(icon_url)).statusCode).toBe(404);
  });

  it.each([
    [false, 'logo'],
    [true, 'night_logo'],
  ])('changes the logo where night is %s', async (night, name) => {
    const { adam, gus, spectator } = world;
    const [events] = await expectSync([gus], () => adam.send('POST', '/realm/logo', [file()], { night }), {
      fields: [`realm_${name}_url`, `realm_${name}_source`],
    });
    const url = `/user_avatars/${world.realm.id}/realm/${name}.png?version=2`;
    expect(events).toMatchObject([{ property: name, data: { [`${name}_url`]: url, [`${name}_source`]: 'U' } }]);
    expect((await spectator.fetch(`/api/v1/realm/logo?night=${night}`)).headers['location']).toMatch(`${url}&night=`);
    expect((await spectator.fetch(url)).rawPayload.readUInt32BE(20)).toBe(100);
    await adam.delete('/realm/logo', { night });
    expect((await spectator.fetch(url)).statusCode).toBe(404);
  });

  it('is for administrators, with exactly one picture', async () => {
    const { adam, max } = world;
    const refused = { body: { msg: 'Must be an organization administrator' } };
    expect(await max.send('POST', '/realm/icon', [file()])).toMatchObject(refused);
    expect(await max.send('POST', '/realm/logo', [file()], { night: true })).toMatchObject(refused);
    expect((await adam.send('POST', '/realm/icon', [])).body).toMatchObject({
      msg: 'You must upload exactly one icon.',
    });
    expect((await adam.send('POST', '/realm/logo', [file(), file()], { night: false })).body).toMatchObject({
      msg: 'You must upload exactly one logo.',
    });
    expect((await adam.send('POST', '/realm/logo', [file()])).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
    });
    expect((await adam.send('POST', '/realm/icon', [{ name: 'x', content: '<svg/>' }])).body).toMatchObject({
      code: 'BAD_IMAGE',
    });
  });
});
