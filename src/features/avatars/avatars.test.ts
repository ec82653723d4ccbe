import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId } from '#kernel/ids';
import { pictureKey } from '#features/pictures';
import { setRealmSettings } from '#features/realms';
import { setUser } from '#features/users';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { plain } from '../../../test/support/pictures.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('avatars on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const send = (client: Client, ...contents: (string | Buffer)[]) =>
    client.send(
      'POST',
      '/users/me/avatar',
      contents.map((content) => ({ name: 'me.jpg', content })),
    );
  const widthOf = async (url: string) => (await world.spectator.fetch(url)).rawPayload.readUInt32BE(16);
  const setting = (values: object) =>
    world.server.context.store.in(world.realm).write((tx) => setRealmSettings(tx, values));

  it('shows everybody the new picture in two sizes, and the default after it is taken away', async () => {
    const { max, mia } = world;
    const queue = await mia.register();
    const photo = await plain(800, 600)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .toBuffer();
    const { avatar_url } = (await send(max, photo)).body;
    const address = `^/user_avatars/${world.realm.id}/uploaded/${max.userId}-[A-Za-z0-9]{16}\\.png\\?version=2$`;
    expect(avatar_url).toMatch(new RegExp(address));
    const person = {
      user_id: max.userId,
      avatar_source: 'U',
      avatar_url,
      avatar_url_medium: avatar_url.replace('.png', '-medium.png'),
      avatar_version: 2,
    };
    expect(await queue.events()).toMatchObject([{ type: 'realm_user', op: 'update', person }]);
    expect([await widthOf(avatar_url), await widthOf(person.avatar_url_medium)]).toEqual([100, 500]);
    expect((await world.spectator.fetch(avatar_url)).rawPayload.includes('secret place')).toBe(false);
    const { user } = await mia.get(`/users/${max.userId}`);
    expect(user).toMatchObject({ avatar_url, avatar_version: 2 });

    const after = await max.delete('/users/me/avatar');
    expect(after['avatar_url']).toBe(`/user_avatars/${world.realm.id}/generated/${max.userId}.png?version=3`);
    expect(await queue.events()).toMatchObject([{ person: { avatar_source: 'J', avatar_version: 3 } }]);
    expect((await world.spectator.fetch(avatar_url)).statusCode).toBe(404);
    expect((await max.delete('/users/me/avatar'))['avatar_url']).toBe(after['avatar_url']);
    expect(await queue.events()).toEqual([]);
  });

  const storedOf = async (client: Client) => {
    const start = pictureKey(`${world.realm.id}/uploaded/${client.userId}`);
    const keys: string[] = [];
    for await (const { key } of world.server.context.files.list(start)) keys.push(key.slice(start.length));
    return keys.toSorted();
  };

  it('keeps the files of no picture but the one it shows, of old ones too', async () => {
    const { mia, server, realm } = world;
    // As accounts have them from before pictures had names of their own.
    for (const size of ['', '-medium'])
      await server.context.files.put(
        pictureKey(`${realm.id}/uploaded/${mia.userId}${size}.png`),
        await plain(100, 100).png().toBuffer(),
      );
    await server.context.store
      .in(realm)
      .write((tx) => setUser(tx, asId(mia.userId), { avatar_source: 'U', avatar_file: `${mia.userId}` }));
    const { user } = await mia.get(`/users/${mia.userId}`);
    expect(await widthOf(user['avatar_url'])).toBe(100);
    expect(await storedOf(mia)).toEqual(['-medium.png', '.png']);
    const picture = await plain(10, 10).png().toBuffer();
    for (let turn = 0; turn < 2; turn++) {
      expect((await send(mia, picture)).status).toBe(200);
      const token = /^-[A-Za-z0-9]{16}/.exec((await storedOf(mia))[0] ?? '')?.[0];
      expect(await storedOf(mia)).toEqual([`${token}-medium.png`, `${token}.png`]);
    }
    await mia.delete('/users/me/avatar');
    expect(await storedOf(mia)).toEqual([]);
  });

  it('shows a picture that is uploaded while the one before it is still being removed', async () => {
    const { olive, server } = world;
    const picture = await plain(10, 10).png().toBuffer();
    await send(olive, picture);
    const { files } = server.context;
    const remove = files.remove.bind(files);
    let goOn = () => {};
    const uploaded = new Promise<void>((resolve) => (goOn = resolve));
    // A store of files that takes its time.
    const begun = new Promise<void>((resolve) => {
      Object.assign(files, {
        remove: async (key: string) => {
          resolve();
          await uploaded;
          await remove(key);
        },
      });
    });
    try {
      const removing = olive.delete('/users/me/avatar');
      await begun;
      const { avatar_url } = (await send(olive, picture)).body;
      goOn();
      await removing;
      expect(await widthOf(avatar_url)).toBe(100);
      expect(await storedOf(olive)).toHaveLength(2);
    } finally {
      Object.assign(files, { remove });
    }
  });

  it('ends with one picture, and its files alone, however many come and go at once', async () => {
    const { gus } = world;
    const picture = await plain(10, 10).png().toBuffer();
    await Promise.all([send(gus, picture), send(gus, picture), gus.delete('/users/me/avatar'), send(gus, picture)]);
    await send(gus, picture);
    const { user } = await gus.get(`/users/${gus.userId}`);
    expect(await widthOf(user['avatar_url'])).toBe(100);
    expect(await storedOf(gus)).toHaveLength(2);
  });

  it('shows a picture at no address that can be guessed from the account, and a former one no more', async () => {
    const { max, mia, spectator, realm } = world;
    const picture = await plain(10, 10).png().toBuffer();
    const first = (await send(max, picture)).body['avatar_url'];
    const second = (await send(max, picture)).body['avatar_url'];
    expect((await spectator.fetch(second)).statusCode).toBe(200);
    const at = (name: string) => `/user_avatars/${realm.id}/uploaded/${name}.png`;
    const theirs = second.replace(`/${max.userId}-`, `/${mia.userId}-`);
    const guessed = [
      first,
      theirs,
      at(`${max.userId}`),
      at(`${max.userId}-medium`),
      at(`${max.userId}-${'a'.repeat(16)}`),
    ];
    const nobody = await spectator.fetch(at('999999'));
    for (const who of [mia, spectator])
      for (const url of guessed) {
        const { statusCode, body } = await who.fetch(url);
        expect([url, statusCode, body]).toEqual([url, 404, nobody.body]);
      }
    await max.delete('/users/me/avatar');
  });

  it('draws a picture of its own for each account, the same each time', async () => {
    const at = (id: number) => `/user_avatars/${world.realm.id}/generated/${id}.png?version=1`;
    const [one, again, other] = [
      (await world.spectator.fetch(at(7))).rawPayload,
      (await world.spectator.fetch(at(7))).rawPayload,
      (await world.spectator.fetch(at(8))).rawPayload,
    ];
    expect(one.equals(again)).toBe(true);
    expect(one.equals(other)).toBe(false);
    expect([await widthOf(at(7)), await widthOf(at(7).replace('.png', '-medium.png'))]).toEqual([100, 500]);
    expect((await world.spectator.fetch(at(7).replace('7.png', 'x.png'))).statusCode).toBe(404);
  });

  it.each(['..%2f..%2fsecret', '%00.png', '..%2f..%2f..%2froost.sqlite3', '1.svg', '.png'])(
    'serves nothing else for %s',
    async (name) => {
      for (const folder of ['uploaded', 'generated', 'emoji/images', 'emoji/images/still'])
        expect((await world.max.fetch(`/user_avatars/${world.realm.id}/${folder}/${name}`)).statusCode).toBe(404);
    },
  );

  it('leads to the picture by ID and address, and to a silhouette for nobody', async () => {
    const { max, mia, spectator } = world;
    const to = async (client: Client, path: string) => {
      const { statusCode, headers } = await client.fetch(path);
      return statusCode === 302 ? headers['location'] : statusCode;
    };
    const own = `/user_avatars/${world.realm.id}/generated/${max.userId}`;
    expect(await to(mia, `/avatar/${max.userId}`)).toMatch(`${own}.png?version=`);
    expect(await to(mia, `/avatar/${max.userId}/medium?s=1&x=2`)).toMatch(/-medium\.png\?version=\d+&s=1&x=2$/);
    expect(await to(mia, '/avatar/member@roost.test')).toMatch(own);
    expect(await to(mia, '/avatar/999999')).toBe('/user_avatars/unknown.png');
    expect(await to(mia, '/avatar/999999/medium')).toBe('/user_avatars/unknown-medium.png');
    expect(await to(mia, '/avatar/99999999999999999999')).toBe('/user_avatars/unknown.png');
    expect(await widthOf('/user_avatars/unknown-medium.png')).toBe(500);
    expect(await to(mia, '/avatar/stranger@example.com')).toMatch(/^https:\/\/secure\.gravatar\.com\//);
    expect(await to(spectator, `/avatar/${max.userId}`)).toBe(401);
    await setting({ enable_spectator_access: true });
    expect(await to(spectator, `/avatar/${max.userId}`)).toMatch(own);
    expect(await to(spectator, '/avatar/member@roost.test')).toBe(401);
    await setting({});
  });

  it('refuses no file, two, too large ones and what is no picture', async () => {
    const picture = await plain(10, 10).png().toBuffer();
    const msg = 'You must upload exactly one avatar.';
    expect((await send(world.max)).body).toMatchObject({ msg });
    expect((await send(world.max, picture, picture)).body).toMatchObject({ msg });
    expect((await send(world.max, Buffer.alloc(5 * 1024 * 1024 + 1))).body).toMatchObject({
      msg: 'Uploaded file is larger than the allowed limit of 5 MiB',
    });
    expect((await send(world.max, '<html>')).body).toMatchObject({ code: 'BAD_IMAGE', msg: 'Invalid image format' });
    expect((await send(world.spectator, picture)).status).toBe(401);
  });

  it('lets only administrators change theirs where that is disabled', async () => {
    await setting({ avatar_changes_disabled: true });
    const picture = await plain(10, 10).png().toBuffer();
    const msg = 'Avatar changes are disabled in this organization.';
    expect((await send(world.max, picture)).body).toMatchObject({ msg });
    expect(await world.max.refused('DELETE', '/users/me/avatar')).toMatchObject({ msg });
    expect((await send(world.adam, picture)).status).toBe(200);
    await setting({});
  });
});
