import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setRealmSettings } from '#features/realms';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { seedRetention } from './jobs.ts';

const DAY_MS = 86_400_000;

describe.each(databases)('retention on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { context } = world.server;
    context.jobs.start(context);
  });
  afterAll(() => world.close());

  const keepFor = (message_retention_days: number) =>
    world.server.context.store.in(world.realm).write((tx) => setRealmSettings(tx, { message_retention_days }));
  const idle = () => world.server.context.jobs.idle();
  /** Moves the clock, then looks as often as it takes. */
  const pass = async (ms: number) => {
    world.clock.advance(ms);
    await idle();
    world.clock.advance(3_600_000);
    await idle();
  };
  const channel = async (name: string, fields: object = {}): Promise<number> => {
    const { max, mia, olive } = world;
    const { id } = await olive.post('/channels/create', { name, subscribers: [max.userId, mia.userId], ...fields });
    await idle();
    return id;
  };
  const post = async (to: number, content: string, topic = 'nests'): Promise<number> =>
    (await world.max.post('/messages', { type: 'channel', to, topic, content }))['id'];
  const shown = async (client: Client, ids: readonly number[]): Promise<number[]> => {
    const { messages } = await client.get('/messages', { message_ids: ids });
    return messages.map((message: Body) => message['id']);
  };

  it('deletes what the organization or the channel no longer keeps, and nothing else (protocol/organizations#retention)', async () => {
    const { max, mia } = world;
    const [inheriting, own, endless] = [
      await channel('inheriting'),
      await channel('own', { message_retention_days: 10 }),
      await channel('endless', { message_retention_days: 'unlimited' }),
    ];
    const old = [await post(inheriting, 'a'), await post(inheriting, 'b', 'other'), await post(own, 'c')];
    const kept = await post(endless, 'd');
    const { id: direct } = await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'e' });
    await keepFor(30);
    await seedRetention(world.server.context);
    await pass(9 * DAY_MS);
    expect(await shown(max, [...old, kept, direct])).toEqual([...old, kept, direct]);
    await pass(DAY_MS);
    expect(await shown(max, [...old, kept, direct])).toEqual([old[0], old[1], kept, direct]);
    world.clock.advance(19 * DAY_MS);
    await idle();
    const late = await post(inheriting, 'f');
    await pass(DAY_MS);
    expect(await shown(max, [...old, kept, direct, late])).toEqual([kept, late]);
  });

  it('tells those who held them, and lets their files go', async () => {
    const { max, mia, gus } = world;
    const place = await channel('files', { message_retention_days: 1 });
    const { uri, url = uri } = (await max.send('POST', '/user_uploads', [{ name: 'a.txt', content: 'bytes' }])).body;
    const first = await post(place, `see [a](${url})`);
    const second = await post(place, 'and this');
    world.clock.advance(DAY_MS - 60_000);
    await idle();
    const client_capabilities = { notification_settings_null: true, bulk_message_deletion: true };
    const lasting = { idle_queue_timeout: 2 * 3600, client_capabilities };
    const [held, outside] = [await mia.register(lasting), await gus.register(lasting)];
    expect((await max.get('/attachments'))['attachments']).toHaveLength(1);
    world.clock.advance(3_600_000);
    await idle();
    const deletions = (await held.events()).filter((event) => event['topic'] === 'nests');
    expect(deletions).toMatchObject([
      { type: 'delete_message', message_type: 'stream', stream_id: place, message_ids: [first, second] },
    ]);
    expect((await outside.events()).filter((event) => event['type'] === 'delete_message')).toEqual([]);
    expect((await max.get('/attachments'))['attachments']).toEqual([]);
  });

  it('goes on where a channel or the organization keeps messages for longer than can be asked for now, as of an import', async () => {
    const { max, realm, server } = world;
    const [place, other] = [await channel('for ages'), await channel('for a day', { message_retention_days: 1 })];
    await server.context.store
      .of(realm.id)
      .write((tx) =>
        tx.db
          .updateTable('channel')
          .set({ message_retention_days: Number.MAX_SAFE_INTEGER })
          .where('realm_id', '=', tx.realmId)
          .where('name', '=', 'for ages')
          .execute(),
      );
    await keepFor(Number.MAX_SAFE_INTEGER);
    const [kept, gone] = [await post(place, 'kept'), await post(other, 'gone')];
    await pass(DAY_MS);
    expect(await shown(max, [kept, gone])).toEqual([kept]);
    await keepFor(-1);
  });

  it('forgets idempotency keys after a day (protocol/messages#idempotency-keys)', async () => {
    const { max } = world;
    const named = {
      type: 'channel',
      to: await channel('named'),
      topic: 'x',
      content: 'x',
      idempotency_key: '1',
    };
    const send = async (): Promise<number> => (await max.post('/messages', named))['id'];
    const first = await send();
    await seedRetention(world.server.context);
    await pass(DAY_MS - 2 * 3_600_000);
    expect(await send()).toBe(first);
    await pass(3 * 3_600_000);
    expect(await send()).not.toBe(first);
    await pass(2 * DAY_MS);
    const keys = world.server.context.store.query((tx) => tx.db.selectFrom('idempotency_key').selectAll().execute());
    expect(await keys).toEqual([]);
  });

  it('works through many in bounded batches', async () => {
    const { mia, max } = world;
    const place = await channel('many', { message_retention_days: 1 });
    const ids = await Promise.all(Array.from({ length: 450 }, (_, number) => post(place, `number ${number}`)));
    await pass(DAY_MS);
    expect(await shown(max, ids)).toEqual([]);
    const fetched = await mia.get('/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: place }],
    });
    expect(fetched['messages']).toEqual([]);
  });
});
