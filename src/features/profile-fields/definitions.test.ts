import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const url = '/realm/profile_fields';

describe.each(databases)('profile fields on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const add = async (values: object): Promise<number> => (await world.adam.post(url, { ...values }))['id'];
  const fields = async () => (await world.gus.get(url))['custom_fields'];

  it('are added, changed, put in order and deleted by administrators, and everybody hears of it (protocol/profile-fields#definitions)', async () => {
    const { adam, max, gus } = world;
    const events = await expectSync([max, gus], async () => {
      const phone = await add({ name: ' Phone ', hint: 'with prefix', field_type: 1, required: true });
      const site = await add({ name: 'Site', field_type: 5, editable_by_user: false, use_for_user_matching: true });
      await adam.patch(`${url}/${phone}`, { hint: '', display_in_profile_summary: true });
      await adam.patch(`${url}/${phone}`, { hint: '', display_in_profile_summary: true, name: 'Phone' });
      await adam.patch(`${url}/${phone}`);
      await adam.patch(url, { order: [site, phone] });
      await adam.delete(`${url}/${site}`);
      expect(await fields()).toEqual([
        {
          id: phone,
          type: 1,
          name: 'Phone',
          hint: '',
          field_data: '',
          order: 1,
          required: true,
          editable_by_user: true,
          display_in_profile_summary: true,
        },
      ]);
      await adam.delete(`${url}/${phone}`);
      await adam.patch(url, { order: [] });
    });
    expect(
      events[0]?.map((event) => [event['type'], event['fields'].map((field: { name: string }) => field.name)]),
    ).toEqual([
      ['custom_profile_fields', ['Phone']],
      ['custom_profile_fields', ['Phone', 'Site']],
      ['custom_profile_fields', ['Phone', 'Site']],
      ['custom_profile_fields', ['Site', 'Phone']],
      ['custom_profile_fields', ['Phone']],
      ['custom_profile_fields', []],
    ]);
    expect(events[1]).toHaveLength(6);
  });

  it('come with registering, with their types; spectators get none', async () => {
    const { max } = world;
    const choices = { 0: { text: 'Hoopoe', order: '1' }, 1: { text: 'Wren', order: '2' } };
    const id = await add({ name: 'Bird', field_type: 3, field_data: choices });
    const { state } = await max.register({ fetch_event_types: ['custom_profile_fields'] });
    expect(state['custom_profile_fields']).toMatchObject([{ id, field_data: JSON.stringify(choices), order: id }]);
    expect(Object.keys(state['custom_profile_field_types'])).toEqual([
      'SHORT_TEXT',
      'PARAGRAPH',
      'DROPDOWN',
      'DATE',
      'URL',
      'USER',
      'EXTERNAL_ACCOUNT',
      'PRONOUNS',
    ]);
    await world.adam.delete(`${url}/${id}`);
  });

  it('are for administrators alone to define', async () => {
    const id = await add({ name: 'Locked', field_type: 1 });
    for (const who of [world.mona, world.max, world.gus]) {
      const calls = [
        who.refused('POST', url, { field_type: 'nonsense' }),
        who.refused('PATCH', url),
        who.refused('PATCH', `${url}/${id}`, { name: 'x' }),
        who.refused('DELETE', `${url}/${id}`),
      ];
      for (const refusal of await Promise.all(calls))
        expect(refusal).toMatchObject({
          code: 'UNAUTHORIZED_PRINCIPAL',
          msg: 'Must be an organization administrator',
        });
    }
    expect(await fields()).toMatchObject([{ id, name: 'Locked' }]);
    await world.adam.delete(`${url}/${id}`);
  });

  const choice = { text: 'a', order: '1' };
  it.each([
    [{}, "Missing 'field_type' argument"],
    [{ field_type: 99, name: 'x' }, 'Invalid field type.'],
    [{ field_type: 99 }, 'Label cannot be blank.'],
    [{ field_type: 1, name: '  ' }, 'Label cannot be blank.'],
    [{ field_type: 1, name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ field_type: 1, name: 'x', hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
    [{ field_type: 3, name: 'x' }, 'Field must have at least one choice.'],
    [{ field_type: 3, name: 'x', field_data: [] }, 'field_data is not a dict'],
    [{ field_type: 3, name: 'x', field_data: { ' ': choice } }, "'value' cannot be blank."],
    [{ field_type: 3, name: 'x', field_data: { 0: choice, 1: choice } }, 'Field must not have duplicate choices.'],
    [{ field_type: 3, name: 'x', field_data: { 0: 'a' } }, 'field_data["0"] is not a dict'],
    [
      { field_type: 3, name: 'x', field_data: { 0: { text: '', order: '1' } } },
      'field_data["0"]["text"] cannot be blank',
    ],
    [{ field_type: 7, name: 'x' }, 'field_data["subtype"] field is missing: Field required'],
    [{ field_type: 7, name: 'x', field_data: { subtype: 'other' } }, 'Invalid external account type'],
    [{ field_type: 7, name: 'x', field_data: { subtype: '__proto__' } }, 'Invalid external account type'],
    [
      { field_type: 7, name: 'x', field_data: { subtype: 'custom' } },
      'Custom external account must define URL pattern',
    ],
    [
      { field_type: 7, name: 'x', field_data: { subtype: 'custom', url_pattern: 'https://x/' } },
      "URL pattern must contain '%(username)s'.",
    ],
    [
      { field_type: 7, name: 'x', field_data: { subtype: 'custom', url_pattern: 'javascript:%(username)s' } },
      'url_pattern is not a URL',
    ],
    [
      { field_type: 2, name: 'x', display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
    [
      { field_type: 6, name: 'x', display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
  ])('defined as %j are refused: %s', async (values, msg) => {
    const queue = await world.max.register();
    expect((await world.adam.refused('POST', url, values)).msg).toBe(msg);
    expect(await fields()).toEqual([]);
    expect(await queue.events()).toEqual([]);
  });

  it('have labels of their own, and two at most stand in the summary', async () => {
    const { adam } = world;
    const ids = [
      await add({ name: 'One', field_type: 1, display_in_profile_summary: true }),
      await add({ name: 'Two', field_type: 1, display_in_profile_summary: true }),
    ];
    const other = await add({ name: 'Other', field_type: 1 });
    const full = 'Only 2 custom profile fields can be displayed in the profile summary.';
    const third = { name: 'One', field_type: 99, display_in_profile_summary: true };
    expect((await adam.refused('POST', url, third)).msg).toBe(full);
    expect((await adam.refused('PATCH', `${url}/${other}`, { display_in_profile_summary: true })).msg).toBe(full);
    await adam.patch(`${url}/${ids[0]}`, { display_in_profile_summary: true, required: true });
    const taken = 'A field with that label already exists.';
    expect((await adam.refused('POST', url, { name: 'One', field_type: 4 })).msg).toBe(taken);
    expect((await adam.refused('PATCH', `${url}/${other}`, { name: 'Two' })).msg).toBe(taken);
    expect((await adam.refused('PATCH', `${url}/${other}`, { name: ' ' })).msg).toBe('Label cannot be blank.');
    expect((await adam.refused('PATCH', `${url}/999999`, { name: 'x' })).msg).toBe('Field id 999999 not found.');
    expect((await adam.refused('DELETE', `${url}/999999`)).msg).toBe('Field id 999999 not found.');
    for (const order of [[], ids, [...ids, other, other], [...ids, 999_999]])
      expect((await adam.refused('PATCH', url, { order })).msg).toBe('Invalid order mapping.');
    for (const id of [...ids, other]) await adam.delete(`${url}/${id}`);
  });

  it('of known external accounts are named by the server, and stay so', async () => {
    const { adam } = world;
    const id = await add({ field_type: 7, name: 'mine', field_data: { subtype: 'github' } });
    const expected = { name: 'GitHub username', hint: '', field_data: '{"subtype":"github"}' };
    expect(await fields()).toMatchObject([expected]);
    const fixed = 'Default custom field cannot be updated.';
    for (const change of [{ name: 'x' }, { hint: 'x' }, { field_data: { subtype: 'twitter' } }])
      expect((await adam.refused('PATCH', `${url}/${id}`, change)).msg).toBe(fixed);
    await adam.patch(`${url}/${id}`, { name: 'GitHub username', display_in_profile_summary: true });
    expect(await fields()).toMatchObject([{ ...expected, display_in_profile_summary: true }]);
    const again = { field_type: 7, field_data: { subtype: 'github' } };
    expect((await adam.refused('POST', url, again)).msg).toBe('A field with that label already exists.');
    const pattern = { subtype: 'custom', url_pattern: 'https://x/%(username)s' };
    const custom = await add({ name: 'Forge', field_type: 7, field_data: pattern });
    expect(await fields()).toMatchObject([{}, { name: 'Forge', field_data: JSON.stringify(pattern) }]);
    for (const one of [id, custom]) await adam.delete(`${url}/${one}`);
  });

  it('added twice at once with one label are added once', async () => {
    const values = { name: 'Race', field_type: 1 };
    const replies = await Promise.all([1, 2].map(() => world.adam.request('POST', url, values)));
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(await fields()).toMatchObject([{ name: 'Race' }]);
  });
});
