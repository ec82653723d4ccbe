import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import { setUser } from '#features/users';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const PATH = '/users/me/status';
const CAR = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' };

describe.each(databases)('user status on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());
  const statusOf = async (id: number) => (await world.mia.get(`/users/${id}/status`))['status'];

  it('changes what was sent, keeps the rest, and tells everybody (protocol/status#setting)', async () => {
    const { max, gus } = world;
    const queue = await gus.register({ event_types: ['user_status'], fetch_event_types: ['user_status'] });
    expect(queue.state['user_status']).toEqual({});
    await max.post(PATH, { status_text: '  on vacation ' });
    await max.post(PATH, { emoji_name: 'car' });
    const said = { id: expect.any(Number), type: 'user_status', user_id: max.userId };
    expect(await queue.events()).toEqual([
      { ...said, status_text: 'on vacation' },
      { ...said, ...CAR },
    ]);
    expect(await statusOf(max.userId)).toEqual({ status_text: 'on vacation', ...CAR });
    const { state } = await gus.register({ fetch_event_types: ['user_status'] });
    expect(state['user_status']).toEqual({ [max.userId]: { status_text: 'on vacation', ...CAR } });
  });

  it('clears with empty strings, as the mobile client sends them (clients, row 50)', async () => {
    const { mona, gus } = world;
    await mona.post(PATH, { status_text: 'x', ...CAR });
    const queue = await gus.register({ event_types: ['user_status'], fetch_event_types: ['user_status'] });
    await mona.post(PATH, { emoji_name: '', emoji_code: '', reaction_type: '' });
    expect(await queue.events()).toMatchObject([{ emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }]);
    expect(await statusOf(mona.userId)).toEqual({ status_text: 'x' });
    await mona.post(PATH, { status_text: '' });
    expect(await statusOf(mona.userId)).toEqual({});
    const { state } = await gus.register({ fetch_event_types: ['user_status'] });
    expect(state['user_status']).not.toHaveProperty(String(mona.userId));
  });

  it('counts code points after stripping (protocol/status#setting)', async () => {
    await world.mia.post(PATH, { status_text: ` ${'😀'.repeat(60)} ` });
    expect((await statusOf(world.mia.userId)).status_text).toBe('😀'.repeat(60));
  });

  it.each([
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '1f697' }, 'Client did not pass any new values.'],
    [
      { status_text: 'x', emoji_code: '1f697' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [
      { status_text: 'x', reaction_type: 'realm_emoji' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'no_such_emoji', reaction_type: 'unicode_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'car', emoji_code: '99', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [{ emoji_name: 'zulip', emoji_code: 'car', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji code.'],
    [{ emoji_name: 'car', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' }, 'Invalid emoji name.'],
    [{ emoji_name: 'car', emoji_code: 'ffff', reaction_type: 'unicode_emoji' }, 'Invalid emoji code.'],
    [{ emoji_name: 'car', emoji_code: 'constructor', reaction_type: 'unicode_emoji' }, 'Invalid emoji code.'],
    [{ emoji_name: 'smile', emoji_code: '1f697', reaction_type: 'unicode_emoji' }, 'Invalid emoji name.'],
    [{ emoji_name: 'car', emoji_code: '1f697', reaction_type: 'sticker' }, 'Invalid emoji type.'],
  ])('refuses %j (protocol/status#setting, checks 1 to 9)', async (sent, msg) => {
    expect(await world.max.refused('POST', PATH, sent)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  });

  it('takes the extra emoji under both names of its type, and sends one (protocol/emoji#types)', async () => {
    const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' };
    await world.adam.post(PATH, { ...extra, reaction_type: 'service_extra_emoji' });
    expect(await statusOf(world.adam.userId)).toEqual(extra);
    await world.adam.post(PATH, { emoji_name: 'zulip' });
    expect(await statusOf(world.adam.userId)).toEqual(extra);
  });

  it('lets administrators speak for others, and nobody else (protocol/status#shown)', async () => {
    const { adam, max, gus } = world;
    await adam.post(`/users/${gus.userId}/status`, { status_text: 'moved to Oslo' });
    expect(await statusOf(gus.userId)).toEqual({ status_text: 'moved to Oslo' });
    expect((await max.refused('POST', `/users/${gus.userId}/status`, { status_text: 'x' })).msg).toBe(
      'Insufficient permission',
    );
    expect((await adam.refused('POST', `/users/${gus.userId}/status`)).msg).toBe('Client did not pass any new values.');
    expect((await adam.refused('POST', '/users/999/status', { status_text: 'x' })).msg).toBe('No such user');
    expect(await statusOf(gus.userId)).toEqual({ status_text: 'moved to Oslo' });
  });

  it('knows no status of bots, strangers and the deactivated (protocol/status#shown)', async () => {
    const { max, user, server, realm } = world;
    const bot = await user({ is_bot: true, bot_type: 1 });
    const gone = await user();
    await gone.post(PATH, { status_text: 'bye' });
    await server.context.store.in(realm).write((tx) => setUser(tx, asId<UserId>(gone.userId), { is_active: false }));
    expect((await max.refused('GET', `/users/${bot.userId}/status`)).msg).toBe('No such user');
    expect((await max.refused('GET', '/users/999/status')).msg).toBe('No such user');
    expect((await max.refused('GET', `/users/${gone.userId}/status`)).msg).toBe('User is deactivated');
    expect((await bot.refused('POST', PATH, { status_text: 'x' })).msg).toBe(
      'This endpoint does not accept bot requests.',
    );
    const { state } = await max.register({ fetch_event_types: ['user_status'] });
    expect(state['user_status']).not.toHaveProperty(String(gone.userId));
  });

  it("takes the organization's own emoji, first by name, while they are active (protocol/status#setting, checks 5 and 6)", async () => {
    const { max, server, realm } = world;
    const insert = (name: string, deactivated: boolean) =>
      server.context.store.write(async (tx) => {
        const values = { realm_id: realm.id, name, author_id: null, deactivated, file_name: 'x.png', still_name: null };
        return (await tx.db.insertInto('realm_emoji').values(values).returning('id').executeTakeFirstOrThrow()).id;
      });
    const [car, gone] = [String(await insert('car', false)), String(await insert('gone', true))];
    await max.post(PATH, { emoji_name: 'car' });
    const own = { emoji_name: 'car', emoji_code: car, reaction_type: 'realm_emoji' };
    expect(await statusOf(max.userId)).toMatchObject(own);
    await max.post(PATH, own);
    await max.post(PATH, CAR);
    const refused = async (emoji: object) => (await max.refused('POST', PATH, { ...own, ...emoji })).msg;
    expect(await refused({ emoji_name: 'bus' })).toBe('Invalid custom emoji name.');
    expect(await refused({ emoji_code: 'x' })).toBe('Invalid custom emoji.');
    expect(await refused({ emoji_name: 'gone', emoji_code: gone })).toBe('This custom emoji has been deactivated.');
  });

  it('turns presence off and on with away (protocol/status#setting)', async () => {
    const { mia, gus } = world;
    const queues = [
      await gus.register({ event_types: ['user_status', 'presence', 'user_settings'] }),
      await mia.register({ event_types: ['user_settings'] }),
    ] as const;
    await mia.post(PATH, { away: true });
    expect(await queues[0].events()).toMatchObject([
      { type: 'user_status', user_id: mia.userId, away: true },
      { type: 'presence', user_id: mia.userId },
    ]);
    expect(await queues[1].events()).toMatchObject([
      { type: 'user_settings', op: 'update', property: 'presence_enabled', value: false },
    ]);
    expect(await statusOf(mia.userId)).toMatchObject({ away: true });
    await mia.post(PATH, { away: false });
    expect(await statusOf(mia.userId)).not.toHaveProperty('away');
  });

  it('shows as away who switches presence off in the settings, and no longer who switches it on', async () => {
    const { mia, gus } = world;
    const away = () => gus.register({ event_types: ['user_status'] });
    for (const presence_enabled of [false, true]) {
      const queue = await away();
      const switched = () => mia.patch('/settings', { presence_enabled });
      await expectSync([gus, mia], switched, { fields: ['user_status'] });
      expect(await queue.events()).toMatchObject([{ user_id: mia.userId, away: !presence_enabled }]);
    }
  });
});
