import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import type { Client } from '../../../test/support/client.ts';
import { leastStatements } from '../../../test/support/statements.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const WANTED = { event_types: ['user_settings'], fetch_event_types: ['user_settings'] };

describe.each(databases)('settings of others on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());

  const settingsOf = async (client: Client) => (await client.register(WANTED)).state['user_settings'];
  const change = (target_users: object, settings: object) =>
    world.adam.patch('/settings', { target_users, ...settings });

  it('change by an administrator for those who are named and those in groups, and for nobody else (protocol/settings#changing)', async () => {
    const { adam, max, mia, mona, gus, olive } = world;
    const { group_id } = await olive.post('/user_groups/create', { name: 'desk', description: '', members: [] });
    await olive.post(`/user_groups/${group_id}/subgroups`, { add: [world.realm.groups['role:moderators']] });
    const queues = await Promise.all([max, mona, mia, gus, adam].map((one) => one.register(WANTED)));
    const reply = await change(
      { user_ids: [max.userId], group_ids: [group_id] },
      { color_scheme: 2, emojiset: 'text' },
    );
    expect(reply).not.toHaveProperty('ignored_parameters_unsupported');
    const all = await Promise.all(queues.map((queue) => queue.events()));
    const told = [
      { type: 'user_settings', op: 'update', property: 'color_scheme', value: 2 },
      { type: 'user_settings', op: 'update', property: 'emojiset', value: 'text' },
    ];
    expect(all).toMatchObject([told, told, [], [], told]);
    expect(await settingsOf(mona)).toMatchObject({ color_scheme: 2, emojiset: 'text' });
    expect(await settingsOf(gus)).toMatchObject({ color_scheme: 1, emojiset: 'google' });
  });

  it('stay as their users chose them, where that is asked for', async () => {
    const { max, mia } = world;
    await max.patch('/settings', { color_scheme: 3 });
    await max.patch('/settings', { color_scheme: 1 });
    const queues = await Promise.all([max, mia].map((one) => one.register(WANTED)));
    const target = { user_ids: [max.userId, mia.userId], skip_if_already_edited: true };
    await change(target, { color_scheme: 2, enter_sends: true });
    // What an administrator chose is nobody's own choice.
    await change(target, { color_scheme: 3 });
    expect((await Promise.all(queues.map((queue) => queue.events()))).map(changes)).toEqual([
      ['enter_sends=true'],
      ['color_scheme=2', 'enter_sends=true', 'color_scheme=3'],
    ]);
    await change({ user_ids: [max.userId], skip_if_already_edited: false }, { color_scheme: 2 });
    expect(await settingsOf(max)).toMatchObject({ color_scheme: 2, enter_sends: true });
  });

  it('say nothing to people who had these values already', async () => {
    const { max, mia } = world;
    await max.patch('/settings', { color_scheme: 2 });
    const queues = await Promise.all([mia, max].map((one) => one.register(WANTED)));
    await change({ user_ids: [max.userId, mia.userId] }, { color_scheme: 2 });
    expect((await Promise.all(queues.map((queue) => queue.events()))).map(changes)).toEqual([['color_scheme=2'], []]);
  });

  it('are left out for bots, and wait for those who are deactivated', async () => {
    const { adam, max } = world;
    const bot = await world.user({ is_bot: true, bot_type: 1 });
    await adam.delete(`/users/${max.userId}`);
    await change({ user_ids: [bot.userId, max.userId] }, { color_scheme: 2 });
    await adam.post(`/users/${max.userId}/reactivate`);
    expect(await settingsOf(max)).toMatchObject({ color_scheme: 2 });
  });

  it('forget the drafts of those who no longer keep any', async () => {
    const { max, mia } = world;
    const draft = { type: '', to: [], topic: '', content: 'soon', timestamp: 1 };
    for (const one of [max, mia]) await one.post('/drafts', { drafts: [draft] });
    await change({ user_ids: [max.userId] }, { enable_drafts_synchronization: false });
    await change({ user_ids: [max.userId] }, { enable_drafts_synchronization: true });
    expect(await max.get('/drafts')).toMatchObject({ count: 0 });
    expect(await mia.get('/drafts')).toMatchObject({ count: 1 });
  });

  it('end where registering again ends (law of sync)', async () => {
    const { max, mia, adam } = world;
    await expectSync([max, mia, adam], () =>
      change({ group_ids: [world.realm.groups['role:members']] }, { web_font_size_px: 18, default_language: 'de' }),
    );
  });

  it('cost the same however many they are', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, () => world.user()));
    const everybody = many.map((one) => one.userId);
    const cost = (user_ids: readonly number[]) =>
      leastStatements(
        world,
        () => change({ user_ids }, { color_scheme: 2 }),
        () => change({ user_ids }, { color_scheme: 3 }),
      );
    const few = await cost(everybody.slice(0, 1));
    expect(await cost(everybody)).toBe(few);
  });

  it.each([
    [{ email: 'x@roost.test' }],
    [{ new_password: 'correct horse battery', old_password: 'x' }],
    [{ full_name: 'Somebody' }],
    [{ timezone: 'Europe/Berlin' }],
    [{ presence_enabled: false }],
    [{ send_read_receipts: false }],
    [{ email_address_visibility: 5 }],
    [{ allow_private_data_export: true }],
    [{ enable_login_emails: false, color_scheme: 2 }],
  ])('are not for others: %j', async (settings) => {
    const { adam, max } = world;
    const sent = { target_users: { user_ids: [max.userId] }, ...settings };
    expect((await adam.refused('PATCH', '/settings', sent)).msg).toBe('Cannot change this setting for other users.');
    expect(await settingsOf(max)).toMatchObject({ color_scheme: 1 });
  });

  it('are refused to others than administrators, and for users and groups that are none', async () => {
    const { adam, mona, max } = world;
    const refusal = (target_users: object, by = adam, settings: object = { color_scheme: 2 }) =>
      by.refused('PATCH', '/settings', { target_users, ...settings });
    expect(await refusal({ user_ids: [mona.userId] }, mona)).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    });
    expect((await refusal({})).msg).toBe('Either user_ids or group_ids must be provided.');
    expect((await refusal({ user_ids: [max.userId, 99_999] })).msg).toBe('Invalid user ID: 99999');
    expect((await refusal({ group_ids: [99_999] })).msg).toBe('Invalid user group');
    const wrong = { default_language: 'tlh' };
    expect((await refusal({ user_ids: [max.userId] }, adam, wrong)).msg).toBe('Invalid default_language');
    expect(await settingsOf(max)).toMatchObject({ color_scheme: 1 });
  });
});

const changes = (events: readonly Record<string, unknown>[]) =>
  events.map(({ property, value }) => `${String(property)}=${String(value)}`);
