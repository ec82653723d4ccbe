import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const ALL = '__all__';
const TICKET = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tracker.example.com/{id}' };

describe.each(databases)('linkifiers on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const listed = async (): Promise<Body[]> => (await world.gus.get('/realm/linkifiers'))['linkifiers'];
  const add = async (parameters: Body): Promise<number> => (await world.adam.post('/realm/filters', parameters))['id'];
  const clear = async () => {
    for (const { id } of await listed()) await world.adam.delete(`/realm/filters/${id}`);
  };

  it('tells everybody of a new linkifier, behind all others (protocol/linkifiers#adding)', async () => {
    await clear();
    const first = await add(TICKET);
    const [events] = await expectSync([world.gus], () =>
      world.adam.post('/realm/filters', {
        pattern: '  PR(?P<nr>[0-9]+) ',
        url_template: ' https://code.example.com/{nr}',
        example_input: ' PR7 ',
        reverse_template: 'PR{nr}',
        alternative_url_templates: ['https://old.example.com/{nr}'],
      }),
    );
    const second = (await listed())[1];
    expect(second).toMatchObject({
      pattern: 'PR(?P<nr>[0-9]+)',
      url_template: 'https://code.example.com/{nr}',
      example_input: 'PR7',
      reverse_template: 'PR{nr}',
      alternative_url_templates: ['https://old.example.com/{nr}'],
    });
    const plain = { ...TICKET, id: first, example_input: null, reverse_template: null, alternative_url_templates: [] };
    expect(events).toEqual([{ type: 'realm_linkifiers', id: expect.any(Number), realm_linkifiers: [plain, second] }]);
  });

  it('is for administrators only, before any parameter is read', async () => {
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator', status: 400 };
    for (const client of [world.mona, world.max, world.gus]) {
      expect(await client.refused('POST', '/realm/filters')).toMatchObject(refusal);
      expect(await client.refused('PATCH', '/realm/filters/999')).toMatchObject(refusal);
      expect(await client.refused('DELETE', '/realm/filters/999')).toMatchObject(refusal);
      expect(await client.refused('PATCH', '/realm/linkifiers')).toMatchObject(refusal);
    }
  });

  const blank = 'This field cannot be blank.';
  const template = 'Invalid URL template.';
  it.each<[Body, Body]>([
    [{ pattern: ' ' }, { pattern: [blank] }],
    [{ url_template: '' }, { url_template: [blank], [ALL]: [expect.stringContaining("Group 'id' in linkifier")] }],
    [{ url_template: 'https://x.example/{' }, { url_template: [template] }],
    [{ url_template: 'javascript:alert({id})' }, { url_template: [template] }],
    [{ pattern: '(foo' }, { [ALL]: [expect.stringMatching(/^Bad regular expression: ./)] }],
    [{ example_input: 'none' }, { [ALL]: ['Example input does not match the linkifier pattern.'] }],
    [
      { example_input: '#1', reverse_template: '#{id' },
      { [ALL]: ["Invalid auto-conversion field: missing '}' character."] },
    ],
    [
      { example_input: '#1', reverse_template: '{id}' },
      { [ALL]: ['Example text does not match auto-conversion field.'] },
    ],
    [
      { url_template: 'https://x.example/{b}' },
      { [ALL]: ["Group 'b' in URL template is not present in linkifier pattern."] },
    ],
    [
      { url_template: 'https://x.example/' },
      { [ALL]: ["Group 'id' in linkifier pattern is not present in URL template."] },
    ],
    [{ pattern: 'taken' }, { [ALL]: ['Realm filter with this Realm and Pattern already exists.'] }],
    [{ alternative_url_templates: ['}'] }, { alternative_url_templates: [template] }],
    [
      { pattern: '', url_template: '{' },
      { pattern: [blank], url_template: [template] },
    ],
  ])('refuses %j (protocol/linkifiers#adding)', async (parameters, errors) => {
    await clear();
    await add({ pattern: 'taken', url_template: 'https://x.example/' });
    const proposed = parameters['pattern'] === 'taken' ? { url_template: 'https://y.example/' } : TICKET;
    const refusal = await world.adam.refused('POST', '/realm/filters', { ...proposed, ...parameters });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect(refusal['errors']).toMatchObject(errors);
    expect(refusal.msg).toBe(Object.values<string[]>(refusal['errors'])[0]?.[0]);
    expect(await listed()).toHaveLength(1);
  });

  it('says in its own way that an example is missing (check 4)', async () => {
    const refusal = await world.adam.refused('POST', '/realm/filters', { ...TICKET, reverse_template: '#{id}' });
    expect(refusal).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Example text is required when auto-conversion field is set.',
      required_parameter: 'Example text',
      set_parameter: 'auto-conversion field',
    });
    expect(refusal).not.toHaveProperty('errors');
  });

  it('wants both texts', async () => {
    const missing = await world.adam.refused('POST', '/realm/filters', { url_template: 'https://x.example' });
    expect(missing).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'pattern' argument" });
  });

  it('changes one, and keeps what was not sent (protocol/linkifiers#changing)', async () => {
    await clear();
    const id = await add({ ...TICKET, example_input: '#1', reverse_template: '#{id}' });
    const url_template = 'https://elsewhere.example.com/{id}';
    const [events] = await expectSync([world.max], async () => {
      await world.adam.patch(`/realm/filters/${id}`, { pattern: TICKET.pattern, url_template });
      await world.adam.patch(`/realm/filters/${id}`, { pattern: TICKET.pattern, url_template });
    });
    const changed = { id, url_template, example_input: '#1', reverse_template: '#{id}' };
    expect(events).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: [changed] }]);
    await world.adam.patch(`/realm/filters/${id}`, { ...TICKET, example_input: '', reverse_template: '' });
    expect(await listed()).toMatchObject([{ ...TICKET, id, example_input: null, reverse_template: null }]);
  });

  it('holds a changed one to the same rules', async () => {
    await clear();
    const id = await add(TICKET);
    await add({ pattern: 'x', url_template: 'https://x.example' });
    const { adam } = world;
    const unknown = await adam.refused('PATCH', '/realm/filters/999999', { pattern: '(', url_template: '{' });
    expect(unknown.msg).toBe('Linkifier not found.');
    const taken = await adam.refused('PATCH', `/realm/filters/${id}`, { pattern: 'x', url_template: 'https://y' });
    expect(taken.msg).toBe('Realm filter with this Realm and Pattern already exists.');
    const half = await adam.refused('PATCH', `/realm/filters/${id}`, { ...TICKET, reverse_template: '#{id}' });
    expect(half.msg).toBe('Example text is required when auto-conversion field is set.');
    expect((await adam.refused('PATCH', `/realm/filters/${id}`, { pattern: 'x' })).msg).toBe(
      "Missing 'url_template' argument",
    );
  });

  it('removes one, once', async () => {
    await clear();
    const id = await add(TICKET);
    const [events] = await expectSync([world.max], () => world.adam.delete(`/realm/filters/${id}`));
    expect(events).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: [] }]);
    expect((await world.adam.refused('DELETE', `/realm/filters/${id}`)).msg).toBe('Linkifier not found.');
  });

  it('takes an order that names each once (protocol/linkifiers#changing)', async () => {
    await clear();
    const { adam, max } = world;
    expect(await adam.patch('/realm/linkifiers', { ordered_linkifier_ids: [] })).toMatchObject({ result: 'success' });
    const ids = [];
    for (const pattern of ['a', 'b', 'c']) ids.push(await add({ pattern, url_template: 'https://x.example' }));
    const order = ids.toReversed();
    const [events] = await expectSync([max], async () => {
      await adam.patch('/realm/linkifiers', { ordered_linkifier_ids: order });
      await adam.patch('/realm/linkifiers', { ordered_linkifier_ids: order });
    });
    expect(events).toHaveLength(1);
    expect((await listed()).map(({ id }) => id)).toEqual(order);
    const incomplete = 'The ordered list must enumerate all existing linkifiers exactly once';
    for (const [wrong, msg] of [
      [[...order, order[0]], 'The ordered list must not contain duplicated linkifiers'],
      [order.slice(1), incomplete],
      [[...order, 999_999], incomplete],
    ])
      expect((await adam.refused('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: wrong })).msg).toBe(msg);
    const last = await add({ pattern: 'd', url_template: 'https://x.example' });
    expect((await listed()).at(-1)?.['id']).toBe(last);
  });

  it('says nothing to clients that cannot read them (protocol/linkifiers#changing)', async () => {
    await clear();
    await add(TICKET);
    const [old, modern] = await Promise.all([
      world.max.register({ event_types: ['realm_linkifiers'] }),
      world.max.register({
        client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
      }),
    ]);
    expect(modern.state['realm_linkifiers']).toHaveLength(1);
    const fetched = await world.max.register({ fetch_event_types: ['realm_linkifiers', 'realm_filters'] });
    expect(fetched.state).toMatchObject({ realm_linkifiers: [], realm_filters: [] });
    await clear();
    expect((await modern.events()).map(({ type }) => type)).toEqual(['realm_linkifiers']);
    expect(await old.events()).toEqual([]);
  });

  it('keeps a pattern once when many add it at once', async () => {
    await clear();
    const asks = Array.from({ length: 8 }, () => world.adam.request('POST', '/realm/filters', TICKET));
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await listed()).toHaveLength(1);
  });
});
