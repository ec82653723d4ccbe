import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leastStatements } from '../../../test/support/statements.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { settingsChanged } from '#features/user-settings';
import { apiEmail, findUser, realmUserUpdated, setUser } from '#features/users';
import { asId, type UserId } from '#kernel/ids';
import { presenceSlice } from './index.ts';
import { findPresence } from './queries.ts';
import { everyoneInRealm, lockLog } from '#kernel/events';

const PATH = '/users/me/presence';

/** Lets everything go on that waits for nothing from outside. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

/** Something that others wait for until it is released. */
function hold(): { readonly released: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}

describe.each(databases)('presence on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());
  const now = () => world.clock.now();
  const later = (seconds: number) => world.clock.advance(seconds * 1000);

  it('shows everybody who has been there, the caller included (protocol/presence#read, step 2)', async () => {
    const { max, mia } = world;
    await mia.post(PATH, { status: 'idle' });
    const { presences, presence_last_update_id, server_timestamp } = await max.post(PATH, {
      status: 'active',
      last_update_id: -1,
    });
    const joined = now();
    expect(presences).toEqual({
      [mia.userId]: { active_timestamp: joined, idle_timestamp: now() },
      [max.userId]: { active_timestamp: now(), idle_timestamp: now() },
    });
    expect(presence_last_update_id).toBe(2);
    expect(server_timestamp).toBe(world.clock.nowMs() / 1000);
  });

  it('uses the date of joining for a time nobody knows (protocol/presence#reporting)', async () => {
    const joined = now();
    later(1000);
    const { presences } = await world.max.post(PATH, { status: 'idle', slim_presence: true });
    expect(presences).toEqual({ [world.max.userId]: { active_timestamp: joined, idle_timestamp: now() } });
  });

  it('answers only what is new (protocol/presence#reporting, last_update_id)', async () => {
    const { max, mia } = world;
    await mia.post(PATH, { status: 'active' });
    const first = await max.post(PATH, { status: 'active', last_update_id: -1 });
    const same = await max.post(PATH, { status: 'active', last_update_id: first['presence_last_update_id'] });
    expect(same).toMatchObject({ presences: {}, presence_last_update_id: first['presence_last_update_id'] });
    later(60);
    await mia.post(PATH, { status: 'active' });
    const next = await max.post(PATH, { status: 'idle', last_update_id: first['presence_last_update_id'] });
    expect(Object.keys(next['presences'])).toEqual([String(max.userId), String(mia.userId)]);
    expect(next['presence_last_update_id']).toBe(first['presence_last_update_id'] + 2);
  });

  it('keeps a record for 55 seconds (protocol/presence#write, step 4)', async () => {
    const { max } = world;
    const start = now();
    const { presence_last_update_id: first } = await max.post(PATH, { status: 'active', last_update_id: 0 });
    later(55);
    expect(await max.post(PATH, { status: 'active', last_update_id: first })).toMatchObject({ presences: {} });
    later(1);
    const { presences } = await max.post(PATH, { status: 'idle', last_update_id: first });
    expect(presences).toEqual({ [max.userId]: { active_timestamp: start, idle_timestamp: now() } });
  });

  it('serves the older form by address, with the status that follows from the two times', async () => {
    const { max } = world;
    await max.post(PATH, { status: 'active' });
    const start = now();
    later(70);
    const active = await max.post(PATH, { status: 'idle' });
    const website = { client: 'website', status: 'active', timestamp: start, pushable: false };
    expect(active['presences']).toEqual({
      [max.email]: { aggregated: { client: 'website', status: 'active', timestamp: start }, website },
    });
    later(60);
    const idle = await max.post(PATH, { status: 'idle' });
    expect(idle['presences'][max.email].aggregated).toEqual({ client: 'website', status: 'idle', timestamp: now() });
  });

  it('reaches back as far as was asked, on a first fetch only (protocol/presence#read, step 4)', async () => {
    const { max, mia } = world;
    await mia.post(PATH, { status: 'active' });
    later(15 * 86_400);
    const keys = async (parameters: object) =>
      Object.keys((await max.post(PATH, { status: 'active', ...parameters }))['presences']);
    expect(await keys({ last_update_id: -1 })).toEqual([String(max.userId)]);
    expect(await keys({ last_update_id: 0, history_limit_days: 16 })).toEqual([max, mia].map((who) => `${who.userId}`));
    expect(await keys({ last_update_id: -1, history_limit_days: 0 })).toEqual([]);
    expect(await keys({ last_update_id: 1, history_limit_days: 0 })).toEqual([String(max.userId)]);
  });

  it('returns no data to a mere ping, and tells the older ID back (protocol/presence#reporting, ping_only)', async () => {
    const reply = await world.max.post(PATH, { status: 'active', ping_only: true });
    expect(reply).toEqual({ result: 'success', msg: '', presence_last_update_id: -1 });
    const again = await world.max.post(PATH, { status: 'active', ping_only: true, last_update_id: 7 });
    expect(again).toEqual({ result: 'success', msg: '', presence_last_update_id: 7 });
    expect((await world.mia.get(`/users/${world.max.userId}/presence`))['presence'].website.status).toBe('active');
  });

  it('refuses unknown statuses and bots, and writes nothing (protocol/presence#write, step 1)', async () => {
    const { max, user } = world;
    expect(await max.refused('POST', PATH, { status: 'away' })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Invalid status: away',
    });
    expect(await max.refused('POST', PATH)).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'status' });
    const bot = await user({ is_bot: true, bot_type: 1, bot_owner_id: asId<UserId>(max.userId) });
    expect((await bot.refused('POST', PATH, { status: 'active' })).msg).toBe(
      'This endpoint does not accept bot requests.',
    );
    expect((await max.get('/realm/presence'))['presences']).toEqual({});
    await world.gus.post(PATH, { status: 'active' });
  });

  it('tells everybody in three forms when somebody comes online, and not at every ping', async () => {
    const { max, mia, mona, gus } = world;
    const queues = [
      await mia.register({
        client_capabilities: { notification_settings_null: true, simplified_presence_events: true },
      }),
      await mona.register({ slim_presence: true }),
      await gus.register(),
    ] as const;
    await max.post(PATH, { status: 'active' });
    const website = { client: 'website', status: 'active', timestamp: now(), pushable: false };
    const times = { active_timestamp: now(), idle_timestamp: now() };
    const slim = { type: 'presence', user_id: max.userId, presence: { website } };
    expect(await queues[0].events()).toEqual([
      { id: expect.any(Number), type: 'presence', presences: { [max.userId]: times } },
    ]);
    const server_timestamp = world.clock.nowMs() / 1000;
    expect(await queues[1].events()).toEqual([{ id: expect.any(Number), server_timestamp, ...slim }]);
    expect(await queues[2].events()).toEqual([{ id: expect.any(Number), server_timestamp, email: max.email, ...slim }]);
    later(130);
    await max.post(PATH, { status: 'active' });
    expect(await queues[0].events()).toEqual([]);
    later(200);
    await max.post(PATH, { status: 'idle' });
    expect(await queues[0].events()).toEqual([]);
    await max.post(PATH, { status: 'active' });
    expect(await queues[0].events()).toMatchObject([{ type: 'presence' }]);
  });

  it('tells nobody in organizations of more than 100 (protocol/presence#reporting)', async () => {
    const { max, mia, user } = world;
    for (let users = 6; users < 100; users++) await user();
    const queue = await mia.register();
    await max.post(PATH, { status: 'active' });
    expect(await queue.events()).toMatchObject([{ type: 'presence' }]);
    const newcomer = await user();
    await newcomer.post(PATH, { status: 'active' });
    expect(await queue.events()).toEqual([]);
  });

  it('shows invisible people as gone, and the others that they went (protocol/presence#invisible)', async () => {
    const { max, mia } = world;
    await max.post(PATH, { status: 'active' });
    const queue = await mia.register({
      client_capabilities: { notification_settings_null: true, simplified_presence_events: true },
    });
    const show = (presence_enabled: boolean) => max.patch('/settings', { presence_enabled });
    await show(false);
    const joined = now();
    const gone = { [max.userId]: { active_timestamp: joined, idle_timestamp: now() - 320 } };
    const told = async () => (await queue.events()).filter(({ type }) => type === 'presence');
    expect(await told()).toMatchObject([{ presences: gone }]);
    const { presences } = await mia.post(PATH, { status: 'active', last_update_id: 1 });
    expect(presences).toMatchObject(gone);
    await max.post(PATH, { status: 'active' });
    expect((await mia.post(PATH, { status: 'active', last_update_id: 1 }))['presences']).toMatchObject(gone);
    await show(true);
    const back = { [max.userId]: { active_timestamp: now(), idle_timestamp: now() } };
    expect(await told()).toMatchObject([{ presences: { [mia.userId]: {} } }, { presences: back }]);
  });

  it('lets nobody who has just pinged seem there after becoming invisible (protocol/presence#invisible)', async () => {
    const { max, mia } = world;
    await max.post(PATH, { status: 'active' });
    later(60);
    await max.post(PATH, { status: 'active' });
    await max.patch('/settings', { presence_enabled: false });
    const idle_timestamp = now() - 320;
    later(1);
    const { presences } = await mia.post(PATH, { status: 'active', last_update_id: 0 });
    expect(presences[max.userId]).toMatchObject({ idle_timestamp });
    const { state } = await mia.register({ slim_presence: true });
    expect(state['presences'][max.userId]).toMatchObject({ idle_timestamp });
  });

  it('never leaves out of a register response what has an older ID than what is in it (protocol/presence#state)', async () => {
    const { max, mia, mona, server, realm } = world;
    for (const client of [max, mia, mona]) await client.post(PATH, { status: 'active' });
    later(60);
    await mia.post(PATH, { status: 'active' });
    let pinged: Promise<unknown> | undefined;
    await server.context.store.in(realm).write(async (tx) => {
      const userIds = [asId<UserId>(max.userId)];
      await settingsChanged.send(tx, { userIds, changed: { presence_enabled: false } }, server.context);
      pinged = mona.post(PATH, { status: 'active', last_update_id: 0 });
      await turns();
    });
    const { state } = await max.register({ slim_presence: true });
    expect(state['presences'][max.userId]).toMatchObject({ idle_timestamp: now() - 320 });
    await pinged;
    const last_update_id = state['presence_last_update_id'];
    const { presences } = await max.post(PATH, { status: 'idle', last_update_id });
    const there = { active_timestamp: now(), idle_timestamp: now() };
    const known = { ...state['presences'], ...presences };
    expect(known).toMatchObject({ [mia.userId]: there, [mona.userId]: there });
  });

  it('gives no ID to somebody who is still there while one who came is being written down', async () => {
    const { max, mia, server } = world;
    await mia.post(PATH, { status: 'active' });
    later(60);
    const holds = [hold(), hold()];
    const held = [server.context.store.write(() => holds[0]?.released ?? turns())];
    const came = max.post(PATH, { status: 'active' });
    await turns();
    held.push(server.context.store.write(() => holds[1]?.released ?? turns()));
    holds[0]?.release();
    await turns();
    const still = mia.post(PATH, { status: 'active', last_update_id: 1 });
    await turns();
    holds[1]?.release();
    await Promise.all([...held, came]);
    const first = await still;
    const second = await mia.post(PATH, { status: 'active', last_update_id: first['presence_last_update_id'] });
    expect({ ...first['presences'], ...second['presences'] }).toHaveProperty([String(max.userId)]);
  });

  it('has in the table at once what others are told, and a second later at most the rest', async () => {
    const { max, mia, server, realm } = world;
    const stored = () => server.context.store.in(realm).query((tx) => findPresence(tx, asId<UserId>(max.userId)));
    await max.post(PATH, { status: 'active' });
    expect(await stored()).toMatchObject({ last_active_at: now(), last_connected_at: now() });
    later(60);
    await max.post(PATH, { status: 'idle' });
    const { presences } = await mia.post(PATH, { status: 'active', last_update_id: 1 });
    expect(presences[max.userId]).toMatchObject({ idle_timestamp: now() });
    later(1);
    await turns();
    expect(await stored()).toMatchObject({ last_active_at: now() - 61, last_connected_at: now() - 1 });
  });

  it('is answered by everything that was pinged, told of or not, written or not', async () => {
    const { max, mia, mona, user } = world;
    for (let users = 6; users <= 100; users++) await user();
    for (const client of [max, mia]) {
      await client.post(PATH, { status: 'active' });
      const { presence } = await mona.get(`/users/${client.userId}/presence`);
      expect(presence.website).toEqual({ status: 'active', timestamp: now() });
      const { presences } = await mona.get('/realm/presence');
      expect(Object.values(presences)).toContainEqual(
        expect.objectContaining({ website: expect.objectContaining({ timestamp: now() }) }),
      );
    }
  });

  it('has everything in the table when the server has stopped in order', async () => {
    const { max, server, realm } = world;
    const stop = presenceSlice.background?.(server.context);
    await max.post(PATH, { status: 'active' });
    later(60);
    await max.post(PATH, { status: 'active' });
    await stop?.();
    const stored = await server.context.store.in(realm).query((tx) => findPresence(tx, asId<UserId>(max.userId)));
    expect(stored).toMatchObject({ last_active_at: now(), last_connected_at: now() });
  });

  // Before there is another server, whose statements would count.
  it('reads all people again when a setting changes them, and not when another does', async () => {
    const { max, mia } = world;
    const statementsAfter = (name: string, first: boolean) => {
      let value = !first;
      return leastStatements(
        world,
        () => max.post(PATH, { status: 'active', ping_only: true }),
        async () => {
          value = !value;
          await mia.patch('/settings', { [name]: value });
          later(300);
        },
      );
    };
    await max.post(PATH, { status: 'active' });
    const usual = await statementsAfter('twenty_four_hour_time', true);
    // The people, the organization they are in, and perhaps what became of their presences meanwhile.
    const more = (await statementsAfter('presence_enabled', false)) - usual;
    expect([2, 3]).toContain(more);
  });

  it('gives no ID a second time after an end in which nothing could be written any more', async () => {
    const { max, mia, mona } = world;
    for (const client of [max, mia, mona]) await client.post(PATH, { status: 'active' });
    later(60);
    await mia.post(PATH, { status: 'active' });
    const { presence_last_update_id: told } = await max.post(PATH, { status: 'active', last_update_id: 0 });
    const successor = await world.anotherServer();
    const { presences } = await mona.at(successor).post(PATH, { status: 'active', last_update_id: told });
    expect(presences).toHaveProperty([String(mona.userId)]);
  });

  it('leaves out who was deactivated', async () => {
    const { max, mia, server, realm } = world;
    await mia.post(PATH, { status: 'active' });
    expect((await max.post(PATH, { status: 'active' }))['presences']).toHaveProperty([mia.email]);
    await server.context.store.in(realm).write(async (tx) => {
      await lockLog(tx);
      await setUser(tx, asId<UserId>(mia.userId), { is_active: false });
      tx.emit(
        realmUserUpdated(
          { person: { user_id: mia.userId, is_active: false } },
          { audience: everyoneInRealm, viewers: [asId<UserId>(mia.userId)] },
        ),
      );
    });
    expect((await max.post(PATH, { status: 'active' }))['presences']).not.toHaveProperty([mia.email]);
    expect((await max.get('/realm/presence'))['presences']).not.toHaveProperty([mia.email]);
    expect((await max.refused('GET', `/users/${mia.userId}/presence`)).msg).toBe('No such user');
  });

  it('answers for one person, in the order of the checks (protocol/presence#reading-of-others)', async () => {
    const { max, mia, user, server, realm } = world;
    expect((await max.refused('GET', '/users/999/presence')).msg).toBe('No such user');
    expect((await max.refused('GET', '/users/nobody@roost.test/presence')).msg).toBe('No such user');
    const bot = await user({ is_bot: true, bot_type: 1 });
    expect((await max.refused('GET', `/users/${bot.userId}/presence`)).msg).toBe(
      'Presence is not supported for bot users.',
    );
    expect((await max.refused('GET', `/users/${mia.userId}/presence`)).msg).toBe(`No presence data for ${mia.userId}`);
    expect((await max.refused('GET', `/users/${mia.email}/presence`)).msg).toBe(`No presence data for ${mia.email}`);
    await mia.post(PATH, { status: 'active' });
    const active = { status: 'active', timestamp: now() };
    const expected = { aggregated: active, website: active };
    expect((await max.get(`/users/${mia.email}/presence`))['presence']).toEqual(expected);
    later(201);
    expect((await max.get(`/users/${mia.userId}/presence`))['presence']).toEqual({
      aggregated: { ...active, status: 'offline' },
      website: active,
    });
    await server.context.store
      .in(realm)
      .write((tx) => setUser(tx, asId<UserId>(mia.userId), { email_address_visibility: 4 }));
    expect((await max.refused('GET', `/users/${mia.email}/presence`)).msg).toBe('No such user');
    const row = await server.context.store.in(realm).query((tx) => findUser(tx, asId<UserId>(mia.userId)));
    await max.get(`/users/${row && apiEmail(row, realm.host)}/presence`);
  });

  it('comes with the register response, in the form of the client (protocol/presence#reading-of-others)', async () => {
    const { max, mia } = world;
    await max.post(PATH, { status: 'active' });
    const legacy = (await mia.register()).state;
    expect(legacy['presences'][max.email]).toMatchObject({ aggregated: { status: 'active' } });
    expect(legacy['presence_last_update_id']).toBe(1);
    const modern = { [max.userId]: { active_timestamp: now(), idle_timestamp: now() } };
    expect((await mia.register({ slim_presence: true })).state['presences']).toEqual(modern);
    expect((await mia.register({ presence_history_limit_days: Number.MAX_SAFE_INTEGER })).state).toMatchObject({
      presences: (await mia.register()).state['presences'],
    });
    expect((await mia.register({ presence_history_limit_days: 0 })).state).toMatchObject({
      presences: {},
      presence_last_update_id: -1,
    });
    later(15 * 86_400);
    expect((await mia.register({ slim_presence: true })).state['presences']).toEqual({});
  });

  it('leaves an entry that no client gets when somebody comes back after two weeks (protocol/register#parameters)', async () => {
    const { max, mia, server, realm } = world;
    const head = await server.context.events.newest(realm.id);
    const kinds = async () => (await server.context.events.since(realm.id, head)).map((entry) => entry.type.kind);
    later(14 * 86_400 - 1);
    await max.post(PATH, { status: 'active' });
    expect(await kinds()).not.toContain('came_back');
    later(14 * 86_400);
    await max.post(PATH, { status: 'idle' });
    expect(await kinds()).not.toContain('came_back');
    const queue = await mia.register({ event_types: ['came_back'] });
    await Promise.all([max, max].map((client) => client.post(PATH, { status: 'idle', new_user_input: true })));
    expect((await kinds()).filter((kind) => kind === 'came_back')).toHaveLength(1);
    expect(await queue.events()).toEqual([]);
  });

  it('tells many people alike, compressed for clients that accept it, and leaves out people unknown to a guest', async () => {
    const { olive, max, gus, user, realm } = world;
    const crowd = await Promise.all(Array.from({ length: 140 }, () => user()));
    await Promise.all(crowd.map((person) => person.post(PATH, { status: 'active' })));
    await max.post(PATH, { status: 'active' });
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:members'] } });
    const all = new Set([...crowd, max].map(({ userId }) => String(userId)));
    const fetch = (client: typeof max, headers = {}) =>
      client.fetch(`/api/v1${PATH}`, {
        method: 'POST',
        payload: Buffer.from('status=idle&last_update_id=0&nonsense=1'),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    const plain = await fetch(max);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(new Set(Object.keys(plain.json()['presences']))).toEqual(all);
    expect(plain.json()).toMatchObject({ presence_last_update_id: 141, ignored_parameters_unsupported: ['nonsense'] });
    const packed = await fetch(max, { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(plain.json());
    const legacy = await max.post(PATH, { status: 'active' });
    expect(Object.keys(legacy['presences'])).toHaveLength(141);
    const known = await gus.post(PATH, { status: 'active', last_update_id: 0 });
    expect(Object.keys(known['presences'])).toEqual([String(gus.userId)]);
  });

  it('gives every write an ID of its own, however many come at once', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => world.user()));
    await Promise.all(people.map((person) => person.post(PATH, { status: 'active' })));
    const { presences, presence_last_update_id } = await world.max.post(PATH, { status: 'active', last_update_id: 0 });
    expect(Object.keys(presences)).toHaveLength(31);
    expect(presence_last_update_id).toBe(31);
    const later31 = await world.max.post(PATH, { status: 'idle', last_update_id: 30 });
    expect(Object.keys(later31['presences'])).toEqual([String(world.max.userId)]);
  });
});
