import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { openWorld, type World } from '../support/world.ts';

const CONTENT = 'the plan';

describe.each(databases)('33: a file is for those who can read a message with it, on %s', (database) => {
  let world: World;
  let vault: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mona } = world;
    world.server.context.jobs.start(world.server.context);
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'vault' }],
      invite_only: true,
      principals: [max.userId, mona.userId],
    });
    vault = (await max.get('/get_stream_id', { stream: 'vault' }))['stream_id'];
  });
  afterAll(() => world.close());

  const toVault = (content: string) =>
    world.max.post('/messages', { type: 'channel', to: vault, topic: 'combination', content });
  /** All addresses that a file has. */
  const addressesOf = (url: string) => [
    url,
    url.replace('/user_uploads/', '/user_uploads/download/'),
    url.replace('/user_uploads/', '/user_uploads/thumbnail/') + '/840x560.webp',
    `/api/v1${url}`,
  ];
  const shownTo = async (who: Client, url: string) =>
    (await Promise.all(addressesOf(url).map((address) => who.fetch(address)))).map(({ statusCode }) => statusCode);
  const REFUSED = [302, 401, 403, 404, 400];

  it('a text and a picture in a private channel, by every address', async () => {
    const { mona, mia, gus, spectator } = world;
    const text = (await world.max.upload('plan.txt', CONTENT))['url'];
    const picture = (await world.max.upload('plan.png', await plain(900, 900).png().toBuffer()))['url'];
    await toVault(`[plan](${text}) [picture](${picture})`);
    await world.server.context.jobs.idle();
    for (const url of [text, picture]) {
      expect(url).toMatch(/\/[\w-]{20,}\/plan\.(?:txt|png)$/);
      const own = await shownTo(mona, url);
      expect([own[0], own[1], own[3]]).toEqual([200, 200, 200]);
      if (url === picture) expect(own[2]).toBe(200);
      for (const who of [mia, gus, spectator])
        for (const status of await shownTo(who, url)) expect(REFUSED).toContain(status);
    }
  });

  it('a temporary address is made for those alone who may read the file', async () => {
    const url = (await world.max.upload('plan.txt', CONTENT))['url'];
    await toVault(`[plan](${url})`);
    const { url: temporary } = await world.mona.get(url);
    expect((await world.spectator.fetch(temporary)).body).toBe(CONTENT);
    for (const who of [world.mia, world.gus]) expect((await who.request('GET', url)).body['result']).toBe('error');
    // It is for that file, and ends.
    const other = (await world.max.upload('other.txt', 'another'))['url'];
    await toVault(`[other](${other})`);
    const [, , , token = ''] = String(temporary).split('/');
    const { url: others } = await world.mona.get(other);
    expect(
      (await world.spectator.fetch(String(others).replace(String(others).split('/')[3] ?? '', token))).body,
    ).not.toBe('another');
    world.clock.advance(61_000);
    expect((await world.spectator.fetch(temporary)).body).not.toBe(CONTENT);
  });

  it('is no proof that the address stands in a message elsewhere, or that another file may be read', async () => {
    const { mia, gus } = world;
    const url = (await world.max.upload('plan.txt', CONTENT))['url'];
    await toVault(`[plan](${url})`);
    const own = (await mia.upload('own.txt', 'own'))['url'];
    for (const content of [`[plan](${url})`, `[own](${own}) [plan](${url})`])
      await mia.post('/messages', { type: 'direct', to: [mia.userId, gus.userId], content });
    await mia.post('/drafts', { drafts: [{ type: 'private', to: [], topic: '', content: `[plan](${url})` }] });
    expect((await gus.fetch(own)).body).toBe('own');
    for (const who of [mia, gus]) expect((await who.fetch(url)).body).not.toContain(CONTENT);
    // The name of one file in the folder of another is nobody's.
    const mixed = own.replace('own.txt', 'plan.txt');
    expect((await mia.fetch(mixed)).statusCode).toBe(404);
  });

  it('ends with the right to read the channel, and with the message', async () => {
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], principals: [mia.userId] });
    const url = (await max.upload('plan.txt', CONTENT))['url'];
    const { id } = await toVault(`[plan](${url})`);
    expect((await mia.fetch(url)).body).toBe(CONTENT);
    await max.delete('/users/me/subscriptions', { subscriptions: ['vault'], principals: [mia.userId] });
    expect((await mia.fetch(url)).body).not.toContain(CONTENT);
    expect((await world.mona.fetch(url)).body).toBe(CONTENT);
    await world.olive.delete(`/messages/${id}`).catch(() => world.max.delete(`/messages/${id}`));
    expect((await world.mona.fetch(url)).body).not.toContain(CONTENT);
  });
});
