import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { pictureKey, sweepPictures } from '#features/pictures';
import type { Body, Client } from '../../../test/support/client.ts';
import { animation, plain } from '../../../test/support/pictures.ts';
import { openFileStore, places } from '../../../test/support/places.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { avatarFolder } from '#features/avatars';
import { emojiFolder } from '#features/emoji';
import { organizationFolder } from './actions.ts';

const DAY_MS = 86_400_000;

describe.each(places)('the sweep of pictures on $database with files in $files', (place) => {
  let world: World;
  let files: Awaited<ReturnType<typeof openFileStore>>;
  beforeAll(async () => {
    files = await openFileStore(place);
    // Stores date what they keep by their own clocks.
    world = await openWorld(place.database, { clock: new TestClock(Date.now()), environment: files.environment });
  });
  afterAll(async () => {
    await world.close();
    await files.stop();
  });

  const sweep = async () => {
    for (const folder of [avatarFolder, emojiFolder, organizationFolder])
      await sweepPictures(world.server.context, folder);
  };
  const stored = async (folder: string) => {
    const start = pictureKey(`${world.realm.id}/${folder}/`);
    const names: string[] = [];
    for await (const { key } of world.server.context.files.list(start)) names.push(key.slice(start.length));
    return names.toSorted();
  };
  /** As if the server had stopped when the file was stored and its row was not written. */
  const leave = (...names: readonly string[]) =>
    Promise.all(
      names.map((name) => world.server.context.files.put(pictureKey(`${world.realm.id}/${name}`), Buffer.from('x'))),
    );
  const set = async (client: Client, path: string, content: Buffer, fields: Body = {}) => {
    const { status } = await client.send('POST', path, [{ name: 'x.gif', content }], fields);
    expect(status).toBe(200);
  };

  it('takes what a crash left between file and row after a day, and nothing that is shown', async () => {
    const { adam, max, mia, clock } = world;
    const moving = await (await animation(3, [40, 40])).gif().toBuffer();
    const still = await plain(60, 60).png().toBuffer();
    await set(max, '/users/me/avatar', still);
    await set(adam, '/realm/icon', still);
    await set(adam, '/realm/emoji/kept', moving);
    await set(adam, '/realm/emoji/retired', still);
    await adam.delete('/realm/emoji/retired');
    const shown = await Promise.all(['uploaded', 'realm', 'emoji/images'].map(stored));
    expect(shown.map((names) => names.length)).toEqual([2, 1, 3]);

    await leave(`uploaded/${mia.userId}.png`, `uploaded/${mia.userId}-medium.png`, 'uploaded/99999999999.png');
    // Of somebody who has a picture, but not this one.
    await leave(`uploaded/${max.userId}.png`, `uploaded/${max.userId}-0123456789abcdef-medium.png`);
    await leave('realm/logo.png', 'realm/night_logo.png', 'emoji/images/lost.webp', 'emoji/images/still/lost.png');
    await sweep();
    const left = await Promise.all(['uploaded', 'realm', 'emoji/images'].map(stored));
    expect(left.map((names) => names.length)).toEqual([7, 3, 5]);
    clock.advance(DAY_MS + 60_000);
    await sweep();
    expect(await Promise.all(['uploaded', 'realm', 'emoji/images'].map(stored))).toEqual(shown);
    await sweep();
    expect(await Promise.all(['uploaded', 'realm', 'emoji/images'].map(stored))).toEqual(shown);
  });

  it('leaves alone a picture that is stored anew under its name while the sweep looks whether it is shown', async () => {
    const { context } = world.server;
    const name = `${world.gus.userId}.png`;
    const storedAt = async () => {
      for await (const { storedAtMs } of context.files.list(pictureKey(`${world.realm.id}/uploaded/${name}`)))
        return storedAtMs;
      return undefined;
    };
    await leave(`uploaded/${name}`);
    const first = (await storedAt()) ?? 0;
    // Just old enough when it is listed.
    const sweeper = { ...context, clock: new TestClock(first + DAY_MS) };
    const asked: string[] = [];
    await sweepPictures(sweeper, {
      folder: 'uploaded',
      async shown(_tx, names) {
        asked.push(...names);
        while ((await storedAt()) === first) await leave(`uploaded/${name}`);
        return new Set(names.filter((one) => one !== name));
      },
    });
    expect(asked).toContain(name);
    expect(await stored('uploaded')).toContain(name);
    world.clock.advance(DAY_MS);
    await sweep();
    expect(await stored('uploaded')).not.toContain(name);
  });
});
