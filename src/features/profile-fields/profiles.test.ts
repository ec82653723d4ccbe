import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const url = '/users/me/profile_data';
const fieldsUrl = '/realm/profile_fields';
const LAW = { fields: ['custom_profile_fields', 'realm_users', 'realm_non_active_users'] };
const BIRDS = { hoopoe: { text: 'Hoopoe', order: '1' }, wren: { text: 'Wren', order: '2' } };

const DEFINITIONS = {
  motto: { field_type: 1 },
  story: { field_type: 2 },
  bird: { field_type: 3, field_data: BIRDS },
  birthday: { field_type: 4 },
  site: { field_type: 5 },
  mentor: { field_type: 6 },
  forge: { field_type: 7, field_data: { subtype: 'custom', url_pattern: 'https://forge.test/%(username)s' } },
  pronouns: { field_type: 8 },
  office: { field_type: 1, editable_by_user: false },
};
type FieldName = keyof typeof DEFINITIONS;

describe.each(databases)('profiles on %s', (database) => {
  let world: World;
  let ids: Record<FieldName, number>;
  beforeAll(async () => {
    world = await openWorld(database);
    const made: [string, number][] = [];
    for (const [name, definition] of Object.entries(DEFINITIONS))
      made.push([name, (await world.adam.post(fieldsUrl, { name, ...definition }))['id']]);
    ids = Object.fromEntries(made) as Record<FieldName, number>;
  });
  afterAll(() => world.close());

  type Values = { readonly [K in FieldName]?: unknown };
  const items = (values: Values) =>
    Object.entries(values).map(([name, value]) => ({ id: ids[name as FieldName], value }));
  const fill = (who: Client, values: Values) => who.patch(url, { data: items(values) });
  const refused = async (who: Client, values: Values) => (await who.refused('PATCH', url, { data: items(values) })).msg;
  const profileOf = async (looker: Client, who: Client) => {
    const { user } = await looker.get(`/users/${who.userId}`, { include_custom_profile_fields: true });
    const names = new Map(Object.entries(ids).map(([name, id]) => [String(id), name]));
    return Object.fromEntries(Object.entries(user.profile_data).map(([id, value]) => [names.get(id) ?? id, value]));
  };

  it('are filled in with values of all types, seen by everybody (protocol/profile-fields#values)', async () => {
    const { max, mia, gus } = world;
    const values = {
      motto: '*fly*',
      story: 'Once **upon**',
      bird: 'wren',
      birthday: '2000-02-29',
      site: 'https://roost.test/a?b#c',
      mentor: [mia.userId, gus.userId, mia.userId],
      forge: 'max-1',
      pronouns: 'they',
    };
    const [own, others] = await expectSync([max, gus], () => fill(max, values), LAW);
    const mentor = JSON.stringify([mia.userId, gus.userId]);
    const field = (name: FieldName, value: string, more: object = {}) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: max.userId, custom_profile_field: { id: ids[name], value, ...more } },
    });
    const expected = [
      field('motto', '*fly*', { rendered_value: '<p><em>fly</em></p>' }),
      field('story', 'Once **upon**', { rendered_value: '<p>Once <strong>upon</strong></p>' }),
      field('bird', 'wren'),
      field('birthday', '2000-02-29'),
      field('site', values.site),
      field('mentor', mentor),
      field('forge', 'max-1'),
      field('pronouns', 'they'),
    ];
    expect(own).toMatchObject(expected);
    expect(others).toMatchObject(expected);
    expect(Object.keys(own?.[2]?.['person'].custom_profile_field)).toEqual(['id', 'value']);
    const seen = await profileOf(gus, max);
    expect(seen).toEqual({
      motto: { value: '*fly*', rendered_value: '<p><em>fly</em></p>' },
      story: { value: 'Once **upon**', rendered_value: '<p>Once <strong>upon</strong></p>' },
      bird: { value: 'wren' },
      birthday: { value: '2000-02-29' },
      site: { value: values.site },
      mentor: { value: mentor },
      forge: { value: 'max-1' },
      pronouns: { value: 'they' },
    });
    expect((await max.get('/users/me'))['profile_data'][ids.bird]).toEqual({ value: 'wren' });
    const { members } = await gus.get('/users', { include_custom_profile_fields: true });
    const listed = members.find((one: { user_id: number }) => one.user_id === max.userId);
    expect(listed.profile_data[ids.bird]).toEqual({ value: 'wren' });
    expect((await gus.get(`/users/${max.userId}`))['user']).not.toHaveProperty('profile_data');
    const spectated = (await world.spectator.request('POST', '/register', {})).body;
    for (const user of spectated['realm_users'] ?? []) expect(user).not.toHaveProperty('profile_data');
  });

  it('are told of only what changed; null and DELETE remove, and removing nothing is nothing', async () => {
    const { mia, max } = world;
    await fill(mia, { motto: 'a', pronouns: 'she', forge: 'mia' });
    const [own] = await expectSync(
      [mia, max],
      async () => {
        await fill(mia, { motto: 'a', pronouns: '', forge: null, bird: null });
        await mia.delete(url, { data: [ids.motto, ids.story] });
        await mia.delete(url, { data: [] });
        await mia.patch(url, { data: [] });
      },
      LAW,
    );
    expect(own?.map((event) => event['person'].custom_profile_field)).toEqual([
      { id: ids.pronouns, value: '' },
      { id: ids.forge, value: null },
      { id: ids.motto, value: null },
    ]);
    expect(await profileOf(max, mia)).toEqual({ pronouns: { value: '' } });
  });

  it('keep the last of two values for one field', async () => {
    const { mona } = world;
    const queue = await mona.register();
    const data = ['first', 'second'].map((value) => ({ id: ids.motto, value }));
    await mona.patch(url, { data });
    expect(await queue.events()).toMatchObject([{ person: { custom_profile_field: { value: 'second' } } }]);
  });

  it('are refused whole when one item is wrong, in the order of protocol/profile-fields#values', async () => {
    const { gus, adam } = world;
    const bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: null });
    const queue = await gus.register();
    expect(await refused(gus, { motto: 'fine', site: 'wrong', office: 'x' })).toBe('site is not a URL');
    expect(await refused(gus, { office: null })).toBe(
      'You are not allowed to change this field. Contact an administrator to update it.',
    );
    const data = [{ id: 999_999, value: null }];
    expect((await gus.refused('PATCH', url, { data })).msg).toBe('Field id 999999 not found.');
    expect((await gus.refused('DELETE', url, { data: [999_999] })).msg).toBe('Field id 999999 not found.');
    expect((await gus.refused('DELETE', url, { data: [ids.office] })).msg).toMatch(/^You are not allowed/);
    const cases: readonly [Values, string][] = [
      [{ motto: [1] }, 'motto is not a string'],
      [{ motto: 'x'.repeat(51) }, 'motto is too long (limit: 50 characters)'],
      [{ story: 'x'.repeat(501) }, 'story is too long (limit: 500 characters)'],
      [{ bird: 'eagle' }, "'eagle' is not a valid choice for 'bird'."],
      [{ bird: 'toString' }, "'toString' is not a valid choice for 'bird'."],
      [{ bird: '' }, "'' is not a valid choice for 'bird'."],
      [{ birthday: '2001-02-29' }, 'birthday is not a date'],
      [{ birthday: '2001-2-9' }, 'birthday is not a date'],
      [{ birthday: '' }, 'birthday is not a date'],
      [{ site: '' }, 'site is not a URL'],
      [{ site: 'javascript:alert(1)' }, 'site is not a URL'],
      [{ site: 'javascript://x/%0aalert(1)' }, 'site is not a URL'],
      [{ site: 'https://a b' }, 'site is not a URL'],
      [{ site: '/path' }, 'site is not a URL'],
      [{ mentor: 'x' }, 'User IDs is not a list'],
      [{ mentor: [1.5] }, 'User IDs[0] is not an integer'],
      [{ mentor: [gus.userId, 'x'] }, 'User IDs[1] is not an integer'],
      [{ mentor: [gus.userId, 999_998, 999_999] }, 'Invalid user IDs: 999998, 999999'],
      [{ mentor: [bot.userId] }, `User with ID ${bot.userId} is a bot`],
      [{ forge: 'x'.repeat(51) }, 'forge is too long (limit: 50 characters)'],
      [{ pronouns: 'x'.repeat(51) }, 'pronouns is too long (limit: 50 characters)'],
    ];
    for (const [values, msg] of cases) expect(await refused(gus, values)).toBe(msg);
    const malformed: readonly [unknown, string][] = [
      [{}, 'data is not a list'],
      [[5], 'data[0] is not a dict'],
      [[{ value: 'x' }], 'data[0]["id"] field is missing: Field required'],
      [[{ id: ids.motto }], 'data[0]["value"] field is missing: Field required'],
      [[{ id: ids.motto, value: 5 }], 'data[0]["value"] is not a string'],
      [[{ id: ids.motto, value: 'a\u0000b' }], 'Invalid data[0]["value"]: Value error, null bytes are not allowed'],
    ];
    for (const [value, msg] of malformed)
      expect((await gus.refused('PATCH', url, { data: value as object })).msg).toBe(msg);
    expect(await profileOf(adam, gus)).toEqual({});
    expect(await queue.events()).toEqual([]);
  });

  it('are for people, and locked fields for administrators', async () => {
    const bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: null });
    expect(await refused(bot, { motto: 'beep' })).toBe('This endpoint does not accept bot requests.');
    await fill(world.adam, { office: 'upstairs' });
    expect(await profileOf(world.max, world.adam)).toMatchObject({ office: { value: 'upstairs' } });
  });

  it('lose what the fields no longer have a place for', async () => {
    const { adam, max, mona } = world;
    const extra = (await adam.post(fieldsUrl, { name: 'extra', field_type: 1 }))['id'];
    await max.patch(url, { data: [{ id: extra, value: 'x' }] });
    await fill(max, { bird: 'wren' });
    await fill(mona, { bird: 'hoopoe' });
    await expectSync(
      [max, mona],
      async () => {
        await adam.delete(`${fieldsUrl}/${extra}`);
        await adam.patch(`${fieldsUrl}/${ids.bird}`, { field_data: { hoopoe: BIRDS.hoopoe } });
      },
      LAW,
    );
    expect(await profileOf(mona, max)).not.toHaveProperty('bird');
    expect(await profileOf(max, mona)).toMatchObject({ bird: { value: 'hoopoe' } });
  });

  it('hold one value when two are sent at once', async () => {
    const { olive } = world;
    await Promise.all([fill(olive, { motto: 'one' }), fill(olive, { motto: 'two' })]);
    const { motto } = await profileOf(olive, olive);
    expect(['one', 'two']).toContain((motto as { value: string }).value);
  });
});
