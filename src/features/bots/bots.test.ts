import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../../../test/support/pictures.ts';
import type { Body, Client, Parameters } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('bots on %s', (database) => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  /** Makes a bot; its reply, and the bot as a client. */
  async function make(
    owner: Client,
    values: Parameters & { short_name?: string } = {},
  ): Promise<{ reply: Body; bot: Client; email: string }> {
    const short = `bot${++made}`;
    const reply = await owner.post('/bots', { full_name: `Bot ${made}`, short_name: short, ...values });
    const email = `${values['short_name'] ?? short}-bot@localhost`;
    return { reply, email, bot: world.clientOf({ id: reply['user_id'], email, api_key_version: 1 }) };
  }
  const types = (events: Body[]) => events.map((event) => `${event['type']}/${event['op']}`);
  const refusal = async (caller: Client, values: Parameters) =>
    (await caller.refused('POST', '/bots', { full_name: 'Another', short_name: 'another', ...values })).msg;
  const setting = (olive: Client, name: string, group: string) =>
    olive.patch('/realm', { [name]: { new: (world.realm.groups as Record<string, number>)[group] } });

  it('are made by members, told to everybody, and in detail to their owner and administrators (protocol/bots#operations)', async () => {
    const { max, mia, adam, gus } = world;
    let reply: Body = {};
    const [own, other, admin, guest] = await expectSync([max, mia, adam, gus], async () => {
      ({ reply } = await make(max, { full_name: ' Ferry ', short_name: 'ferry', default_all_public_streams: true }));
    });
    const settings = {
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: true,
    };
    expect(reply).toMatchObject({ api_key: expect.stringMatching(/^\w{32}$/), ...settings });
    expect(own).toMatchObject([
      {
        type: 'realm_user',
        op: 'add',
        person: {
          user_id: reply['user_id'],
          email: 'ferry-bot@localhost',
          delivery_email: 'ferry-bot@localhost',
          full_name: 'Ferry',
          is_bot: true,
          bot_type: 1,
          bot_owner_id: max.userId,
          role: 400,
          is_active: true,
        },
      },
      { type: 'realm_bot', op: 'add', bot: { user_id: reply['user_id'], ...settings, services: [] } },
      { type: 'user_group', op: 'add_members', user_ids: [reply['user_id']] },
      { type: 'user_group', op: 'add_members', user_ids: [reply['user_id']] },
    ]);
    expect(types(admin ?? [])).toContain('realm_bot/add');
    for (const events of [other, guest]) {
      expect(types(events ?? [])).toContain('realm_user/add');
      expect(JSON.stringify(events)).not.toContain('realm_bot');
    }
    expect(JSON.stringify([own, admin])).not.toContain(reply['api_key']);
    const { bots } = await max.get('/bots');
    expect(bots).toContainEqual({
      username: 'ferry-bot@localhost',
      full_name: 'Ferry',
      api_key: reply['api_key'],
      avatar_url: reply['avatar_url'],
      ...settings,
    });
    expect((await mia.get('/bots'))['bots']).toEqual([]);
    expect((await mia.register()).state['realm_bots']).toEqual([]);
    const { user } = await mia.get(`/users/${reply['user_id']}`);
    expect(user).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: max.userId });
    const me = await world
      .clientOf({ id: reply['user_id'], email: 'ferry-bot@localhost', api_key_version: 1 })
      .get('/users/me');
    expect(me).toMatchObject({ user_id: reply['user_id'], full_name: 'Ferry', email: 'ferry-bot@localhost' });
    expect(me).toMatchObject({ bot_type: 1, bot_owner_id: max.userId });
    expect(me).not.toHaveProperty('profile_data');
    // And people have nothing of bots.
    const person = await max.get('/users/me');
    expect(person).toMatchObject({ is_bot: false, profile_data: {} });
    for (const field of ['bot_type', 'bot_owner_id']) expect(person).not.toHaveProperty(field);
  });

  it('may not do what is for people: emoji and user groups (protocol/authentication#who-may-call)', async () => {
    const { bot } = await make(world.max);
    const refused = { status: 400, code: 'BAD_REQUEST', msg: 'This endpoint does not accept bot requests.' };
    const group = { name: 'barges', description: '', members: [] };
    expect(await bot.refused('POST', '/user_groups/create', group)).toMatchObject(refused);
    expect(await bot.refused('GET', '/user_groups')).toMatchObject(refused);
    const emoji = await bot.send('POST', '/realm/emoji/barge', [{ name: 'x.png', content: 'x' }]);
    expect(emoji).toMatchObject({ status: 400, body: { msg: refused.msg } });
    // People may, and a bot may look.
    const { group_id } = await world.max.post('/user_groups/create', group);
    for (const part of ['members', 'subgroups'])
      expect(await bot.refused('GET', `/user_groups/${group_id}/${part}`)).toMatchObject(refused);
    expect((await bot.get('/realm/emoji'))['emoji']).toEqual({});
    const state = await bot.register({ fetch_event_types: ['realm_user_groups'] });
    expect(state.state['realm_user_groups']).toContainEqual(expect.objectContaining({ id: group_id }));
  });

  it('are refused in the order of protocol/bots#operations', async () => {
    const { max, gus } = world;
    await make(max, { full_name: 'Taken', short_name: 'taken' });
    const bad = { full_name: '@', short_name: 'a b', bot_type: 4, interface_type: 9, default_sending_stream: 'none' };
    expect(await refusal(max, bad)).toBe('Bad name or username');
    expect(await refusal(max, { ...bad, short_name: '' })).toBe('Bad name or username');
    expect(await refusal(max, { ...bad, short_name: 'taken' })).toBe('Name too short!');
    expect(await refusal(max, { ...bad, short_name: 'taken', full_name: 'a@b' })).toBe('Invalid characters in name!');
    const named = { ...bad, short_name: 'taken', full_name: 'taken' };
    expect(await refusal(max, named)).toBe('Embedded bots are not enabled.');
    expect(await refusal(max, { ...named, bot_type: 7 })).toBe('Username already in use');
    expect(await refusal(max, { ...named, bot_type: 7, short_name: 'x' })).toBe('Name is already in use!');
    expect(await refusal(max, { ...bad, short_name: 'x', full_name: 'Notification bot', bot_type: 1 })).toBe(
      'Name is already in use!',
    );
    const free = { ...bad, short_name: 'x', full_name: 'Free' };
    expect(await refusal(max, { ...free, bot_type: 7 })).toBe('Invalid bot type');
    expect(await refusal(max, { ...free, bot_type: 1 })).toBe('Invalid interface type');
    expect(await refusal(max, { ...free, bot_type: 1, interface_type: 2 })).toBe("Invalid channel name 'none'");
    expect(
      await refusal(max, { ...free, bot_type: 2, interface_type: 1, default_sending_stream: '', service_name: 'no' }),
    ).toBe("Invalid integration 'no'.");
    expect(await refusal(max, { payload_url: 'javascript:alert(1)' })).toBe('payload_url is not a URL');
    expect(await refusal(gus, {})).toBe('Not allowed for guest users');
    expect((await max.get('/bots'))['bots'].map((bot: Body) => bot['full_name'])).not.toContain('Free');
  });

  it('are made by members of one group of the organization, write-only ones by members of another', async () => {
    const { olive, adam, mona, max } = world;
    await setting(olive, 'can_create_bots_group', 'role:moderators');
    expect(await refusal(max, {})).toBe('Insufficient permission');
    expect((await make(max, { bot_type: 2 })).reply['user_id']).toBeGreaterThan(0);
    await setting(olive, 'can_create_write_only_bots_group', 'role:nobody');
    expect(await refusal(max, { bot_type: 2 })).toBe('Insufficient permission');
    await setting(olive, 'can_create_bots_group', 'role:nobody');
    expect(await refusal(mona, {})).toBe('Insufficient permission');
    expect((await make(adam)).reply['user_id']).toBeGreaterThan(0);
    await setting(olive, 'can_create_bots_group', 'role:members');
    await setting(olive, 'can_create_write_only_bots_group', 'role:members');
  });

  it('do not make bots, nor may incoming webhooks do anything but send', async () => {
    const { max } = world;
    const { bot } = await make(max);
    expect((await bot.refused('POST', '/bots', { full_name: 'Child', short_name: 'child' })).msg).toBe(
      'This endpoint does not accept bot requests.',
    );
    const { bot: hook } = await make(max, { bot_type: 2 });
    const closed = { status: 401, code: 'UNAUTHORIZED', msg: 'This API is not available to incoming webhook bots.' };
    expect(await hook.refused('GET', '/users/me')).toMatchObject(closed);
    expect(await hook.refused('POST', '/register')).toMatchObject(closed);
    expect(await hook.refused('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).toMatchObject(
      closed,
    );
    const { url } = await max.upload('chart.txt');
    await max.post('/messages', { type: 'direct', to: [hook.userId, bot.userId], content: `[chart](${url})` });
    expect((await bot.fetch(url)).statusCode).toBe(200);
    for (const path of [url, `/avatar/${max.userId}`]) {
      const page = await hook.fetch(path);
      expect([page.statusCode, page.json()]).toEqual([401, { result: 'error', code: closed.code, msg: closed.msg }]);
    }
    const { id } = await hook.post('/messages', { type: 'direct', to: [max.userId], content: 'deployed' });
    expect(id).toBeGreaterThan(0);
  });

  it('give a name to one of two who want it at once', async () => {
    const { max, mia } = world;
    const values = { full_name: 'Race', short_name: 'race' };
    const replies = await Promise.all([max.request('POST', '/bots', values), mia.request('POST', '/bots', values)]);
    expect(new Set(replies.map((reply) => reply.body['msg']))).toEqual(new Set(['', 'Username already in use']));
  });

  it('are changed by their owner and administrators; others are refused', async () => {
    const { max, mia, adam } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] });
    const { reply } = await make(max, { bot_type: 3, payload_url: '"https://bot.example.com/hook"' });
    const path = `/bots/${reply['user_id']}`;
    const [own, , other] = await expectSync([max, adam, mia], async () => {
      const answer = await max.patch(path, {
        full_name: 'Pilot',
        default_sending_stream: 'HARBOUR',
        default_all_public_streams: true,
        service_payload_url: '"https://bot.example.com/other"',
        service_interface: 2,
      });
      expect(answer).toMatchObject({
        full_name: 'Pilot',
        service_interface: 2,
        service_payload_url: 'https://bot.example.com/other',
        config_data: null,
        default_sending_stream: 'harbour',
        default_events_register_stream: null,
        default_all_public_streams: true,
        bot_owner: 'member@roost.test',
      });
    });
    expect(own).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: reply['user_id'], full_name: 'Pilot' } },
      {
        type: 'realm_bot',
        op: 'update',
        bot: {
          user_id: reply['user_id'],
          default_sending_stream: 'harbour',
          default_all_public_streams: true,
          services: [
            { base_url: 'https://bot.example.com/other', interface: 2, token: expect.stringMatching(/^\w{32}$/) },
          ],
        },
      },
    ]);
    expect(types(other ?? [])).toEqual(['realm_user/update']);
    const [none] = await expectSync([max], () => max.patch(path, { full_name: 'Pilot', service_interface: 2 }));
    expect(none).toEqual([]);
    const [cleared] = await expectSync([max], () => adam.patch(path, { default_sending_stream: '' }));
    expect(cleared).toMatchObject([{ bot: { default_sending_stream: null } }]);
    for (const [method, tail] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/api_key'],
      ['POST', '/api_key/regenerate'],
    ] as const) {
      expect((await mia.refused(method, `${path}${tail}`)).msg).toBe('Insufficient permission');
      for (const id of [999_999, max.userId, await notificationBot()])
        expect((await adam.refused(method, `/bots/${id}${tail}`)).msg).toBe('No such bot');
    }
    expect((await max.refused('PATCH', path, { full_name: 'Taken' })).msg).toBe('Name is already in use!');
    expect((await max.refused('PATCH', path, { service_interface: 3 })).msg).toBe('Invalid interface type');
  });

  async function notificationBot(): Promise<number> {
    const { cross_realm_bots } = (await world.max.register()).state;
    return cross_realm_bots.find((bot: Body) => bot['full_name'] === 'Notification Bot').user_id;
  }

  it('do not lend their owner a role, nor an administrator that of an owner (security#holes, row 15)', async () => {
    const { max, adam, olive, mia } = world;
    const { reply } = await make(max);
    const path = `/bots/${reply['user_id']}`;
    expect(await max.refused('PATCH', path, { role: 200 })).toMatchObject({
      msg: 'Must be an organization administrator',
    });
    expect((await adam.refused('PATCH', path, { role: 250 })).msg).toBe('Invalid role');
    expect((await adam.refused('PATCH', path, { role: 100 })).msg).toBe('Must be an organization owner');
    const [events] = await expectSync([mia], () => adam.patch(path, { role: 300 }));
    expect(events).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: reply['user_id'], role: 300 } },
      { type: 'user_group', op: 'remove_members' },
      { type: 'user_group', op: 'remove_members' },
      { type: 'user_group', op: 'add_members' },
    ]);
    await olive.patch(path, { role: 100 });
    for (const [method, tail] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/api_key'],
    ] as const)
      expect((await adam.refused(method, `${path}${tail}`)).msg).toBe('Must be an organization owner');
    expect((await olive.get(`${path}/api_key`))['api_key']).toBe(reply['api_key']);
  });

  it('know the channels of the role they are given', async () => {
    const { max, adam } = world;
    const { bot, reply } = await make(max);
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], invite_only: true });
    const become = (role: number) =>
      expectSync([bot], () => adam.patch(`/bots/${reply['user_id']}`, { role }), { fields });
    const fields = ['streams', 'subscriptions', 'never_subscribed', 'unsubscribed', 'realm_user_groups'];
    await become(200);
    const [lost] = await become(600);
    expect(types(lost ?? [])).toContain('stream/delete');
    const [back] = await become(400);
    expect(types(back ?? [])).toContain('stream/create');
    expect(JSON.stringify(back)).not.toContain('vault');
  });

  it('change owners: one loses sight of them, the other gains it', async () => {
    const { max, mia, adam, gus, mona } = world;
    const { reply } = await make(max);
    const id = reply['user_id'];
    const [former, next, admin, other] = await expectSync([max, mia, adam, mona], () =>
      max.patch(`/bots/${id}`, { bot_owner_id: mia.userId }),
    );
    const moved = { type: 'realm_user', op: 'update', person: { user_id: id, bot_owner_id: mia.userId } };
    expect(former).toMatchObject([{ type: 'realm_bot', op: 'delete', bot: { user_id: id } }, moved]);
    expect(next).toMatchObject([{ type: 'realm_bot', op: 'add', bot: { user_id: id } }, moved]);
    expect(admin).toMatchObject([moved]);
    expect(other).toMatchObject([moved]);
    expect((await max.refused('PATCH', `/bots/${id}`)).msg).toBe('Insufficient permission');
    const refused = async (owner: number) => (await mia.refused('PATCH', `/bots/${id}`, { bot_owner_id: owner })).msg;
    expect(await refused(999_999)).toBe('Failed to change owner, no such user');
    expect(await refused(await notificationBot())).toBe('Failed to change owner, no such user');
    expect(await refused(id)).toBe("Failed to change owner, bots can't own other bots");
    const gone = await world.user();
    await world.adam.delete(`/users/${gone.userId}`);
    expect(await refused(gone.userId)).toBe('Failed to change owner, user is deactivated');
    expect((await gus.refused('PATCH', `/bots/${id}`)).msg).toBe('Not allowed for guest users');
  });

  it('take no order from who gave them away, not even where the new owner may post', async () => {
    const { max, mia, adam } = world;
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'crypt' }], invite_only: true });
    const post = { type: 'stream', to: 'crypt', topic: 'forged', content: 'from Max' };
    const [kept, given] = [await make(max), await make(max)];
    expect((await given.bot.refused('POST', '/messages', post)).msg).toBe("Channel 'crypt' does not exist");
    await max.patch(`/bots/${given.reply['user_id']}`, { bot_owner_id: mia.userId });
    expect(await given.bot.refused('POST', '/messages', post)).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
    expect((await mia.get(`/bots/${given.reply['user_id']}/api_key`))['api_key']).not.toBe(given.reply['api_key']);
    const own = await make(adam);
    await adam.patch(`/bots/${own.reply['user_id']}`, { bot_owner_id: mia.userId });
    await world.olive.patch(`/users/${adam.userId}`, { role: 400 });
    expect(await own.bot.refused('POST', '/messages', post)).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
    await world.olive.patch(`/users/${adam.userId}`, { role: 200 });
    // What an administrator moves goes on: it may be all that is left of a colleague.
    await adam.patch(`/bots/${kept.reply['user_id']}`, { bot_owner_id: mia.userId });
    expect((await kept.bot.get('/users/me'))['user_id']).toBe(kept.reply['user_id']);
  });

  it('have no higher role than their owner once the owner gets a lower one (security#holes, row 15)', async () => {
    const { olive, max } = world;
    const chief = await world.user({ role: 100 });
    const [high, low, away] = [await make(chief), await make(chief), await make(chief)];
    for (const [{ reply }, role] of [
      [high, 100],
      [low, 600],
      [away, 200],
    ] as const)
      await chief.patch(`/bots/${reply['user_id']}`, { role });
    await chief.delete(`/bots/${away.reply['user_id']}`);
    const roles = async () => {
      const { members } = await olive.get('/users');
      const of = ({ reply }: { reply: Body }) => members.find((one: Body) => one['user_id'] === reply['user_id']).role;
      return [of(high), of(low), of(away)];
    };
    await expectSync([max, olive], () => olive.patch(`/users/${chief.userId}`, { role: 400 }));
    expect(await roles()).toEqual([400, 600, 400]);
    const refused = await high.bot.refused('PATCH', `/users/${chief.userId}`, { role: 100 });
    expect(refused).toMatchObject({ code: 'BAD_REQUEST', msg: 'Insufficient permission' });
    await olive.patch(`/users/${chief.userId}`, { role: 300 });
    expect(await roles()).toEqual([400, 600, 400]);
  });

  it('get a new key; the old one dies at once', async () => {
    const { max, adam, mia } = world;
    const { reply, bot, email } = await make(max, { bot_type: 3, payload_url: '"https://bot.example.com"' });
    const path = `/bots/${reply['user_id']}/api_key`;
    const [own, other] = await expectSync([max, mia], () => max.post(`${path}/regenerate`));
    expect(own).toMatchObject([
      { type: 'realm_bot', op: 'update', bot: { services: [{ base_url: 'https://bot.example.com' }] } },
    ]);
    expect(other).toEqual([]);
    expect(await bot.refused('GET', '/users/me')).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
    const { api_key } = await adam.get(path);
    expect(api_key).not.toBe(reply['api_key']);
    const renewed = world.clientOf({ id: reply['user_id'], email, api_key_version: 2 });
    expect(renewed.apiKey).toBe(api_key);
    expect((await renewed.get('/users/me'))['user_id']).toBe(reply['user_id']);
  });

  it('are deactivated with all they hold, and stay listed', async () => {
    const { max, mia, adam } = world;
    const { reply, bot } = await make(max);
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'harbour' }],
      principals: [reply['user_id'], mia.userId],
    });
    const queue = await bot.register();
    const [own] = await expectSync([max, mia, adam], () => max.delete(`/bots/${reply['user_id']}`));
    expect(own).toMatchObject([
      { type: 'subscription', op: 'peer_remove', user_ids: [reply['user_id']] },
      { type: 'realm_user', op: 'update', person: { user_id: reply['user_id'], is_active: false } },
    ]);
    await expect(queue.events()).rejects.toThrow('USER_DEACTIVATED');
    expect((await max.get('/bots'))['bots'].map((one: Body) => one['full_name'])).not.toContain(reply['full_name']);
    const { state } = await max.register();
    expect(state['realm_non_active_users']).toContainEqual(expect.objectContaining({ user_id: reply['user_id'] }));
    expect(state['realm_bots']).toContainEqual(expect.objectContaining({ user_id: reply['user_id'] }));
    const [again] = await expectSync([max], () => adam.delete(`/bots/${reply['user_id']}`));
    expect(again).toEqual([]);
    const { reply: next } = await make(max, { full_name: `Bot ${made}` });
    expect(next['user_id']).toBeGreaterThan(reply['user_id']);
  });

  it('have a picture of their own', async () => {
    const { max } = world;
    const file = { name: 'a.png', content: await plain(10, 10).png().toBuffer() };
    const fields = { full_name: 'Painted', short_name: 'painted' };
    expect(await max.send('POST', '/bots', [file, file], fields)).toMatchObject({
      status: 400,
      body: { msg: 'You may only upload one file at a time' },
    });
    const { body } = await max.send('POST', '/bots', [file], fields);
    expect(body['avatar_url']).toMatch(/\/uploaded\/\d+-\w{16}\.png\?version=2$/);
    const { user } = await max.get(`/users/${body['user_id']}`);
    expect(user['avatar_url']).toBe(body['avatar_url']);
    expect((await world.spectator.fetch(body['avatar_url'])).headers['content-type']).toBe('image/png');
    const [events] = await expectSync([max], async () => {
      const changed = await max.send('PATCH', `/bots/${body['user_id']}`, [file]);
      expect(changed.body['avatar_url']).toMatch(/version=3$/);
    });
    expect(types(events ?? [])).toEqual(['realm_user/update']);
    const text = { name: 'a.svg', content: '<svg/>' };
    expect((await max.send('PATCH', `/bots/${body['user_id']}`, [text])).body).toMatchObject({ code: 'BAD_IMAGE' });
  });

  it('do not find a private channel of others by its name', async () => {
    const { max, mia } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret plans' }], invite_only: true });
    for (const name of ['secret plans', 'never was'])
      expect(await refusal(mia, { default_sending_stream: name })).toBe(`Invalid channel name '${name}'`);
    const { reply } = await make(max, { default_sending_stream: 'secret plans' });
    expect(reply['default_sending_stream']).toBe('secret plans');
  });

  it('follow the names of channels, and lose those that their owner may not know any more', async () => {
    const { max, mia, adam } = world;
    const { subscribed } = await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'cabin' }],
      principals: [max.userId, mia.userId],
      invite_only: true,
    });
    expect(subscribed).toBeDefined();
    const { stream_id: id } = await max.get('/get_stream_id', { stream: 'cabin' });
    await make(mia, { default_sending_stream: 'cabin', default_events_register_stream: 'cabin' });
    const [renamed] = await expectSync([mia, adam], () => max.patch(`/streams/${id}`, { new_name: 'bridge' }));
    const names = { default_sending_stream: 'bridge', default_events_register_stream: 'bridge' };
    expect(renamed).toContainEqual(expect.objectContaining({ type: 'realm_bot', bot: expect.objectContaining(names) }));
    const [left] = await expectSync([mia, adam], () =>
      mia.delete('/users/me/subscriptions', { subscriptions: ['bridge'] }),
    );
    const none = { default_sending_stream: null, default_events_register_stream: null };
    expect(left).toContainEqual(expect.objectContaining({ type: 'realm_bot', bot: expect.objectContaining(none) }));
  });
});
