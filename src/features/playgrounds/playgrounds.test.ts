import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const ALL = '__all__';
const RUN = { name: 'Run it', pygments_language: 'Python', url_template: 'https://run.example.com/{?code}' };

describe.each(databases)('code playgrounds on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const listed = async (): Promise<Body[]> =>
    (await world.gus.register({ fetch_event_types: ['realm_playgrounds'] })).state['realm_playgrounds'];

  it('tells everybody of a new one and of one that is gone (protocol/linkifiers#playgrounds)', async () => {
    const { adam, gus } = world;
    const [events] = await expectSync([gus], async () => {
      const { id } = await adam.post('/realm/playgrounds', { ...RUN, name: '  Run it ' });
      await adam.delete(`/realm/playgrounds/${id}`);
      expect((await adam.refused('DELETE', `/realm/playgrounds/${id}`)).msg).toBe('Invalid playground');
    });
    expect(events).toMatchObject([
      { type: 'realm_playgrounds', realm_playgrounds: [{ id: expect.any(Number), ...RUN }] },
      { type: 'realm_playgrounds', realm_playgrounds: [] },
    ]);
  });

  it('is for administrators only, before any parameter is read', async () => {
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator', status: 400 };
    for (const client of [world.mona, world.max, world.gus]) {
      expect(await client.refused('POST', '/realm/playgrounds')).toMatchObject(refusal);
      expect(await client.refused('DELETE', '/realm/playgrounds/999')).toMatchObject(refusal);
    }
  });

  it.each([
    [{}, "Missing 'name' argument"],
    [{ name: 'x' }, "Missing 'pygments_language' argument"],
    [{ name: 'x', pygments_language: 'C' }, "Missing 'url_template' argument"],
    [{ ...RUN, pygments_language: 'p'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
    [{ ...RUN, pygments_language: 'a$b', url_template: '' }, 'Invalid characters in pygments language'],
  ])('refuses %j', async (parameters, msg) => {
    expect((await world.adam.refused('POST', '/realm/playgrounds', parameters)).msg).toBe(msg);
  });

  it.each<[Body, Body]>([
    [{ name: ' ' }, { name: ['This field cannot be blank.'] }],
    [{ url_template: 'https://x.example/{' }, { url_template: ['Invalid URL template.'] }],
    [{ url_template: 'javascript:{code}' }, { url_template: ['Invalid URL template.'] }],
    [{ url_template: '{+code}' }, { url_template: ['Invalid URL template.'] }],
    [{ url_template: 'https://x.example/' }, { [ALL]: ['Missing the required variable "code" in the URL template'] }],
    [
      { url_template: 'https://x.example/{code}{?a}' },
      { [ALL]: ['"code" should be the only variable present in the URL template'] },
    ],
    [{ name: 'Taken' }, { [ALL]: ['Realm playground with this Realm, Pygments language and Name already exists.'] }],
  ])('refuses %j, naming the fields (protocol/linkifiers#playgrounds)', async (parameters, errors) => {
    await world.adam.request('POST', '/realm/playgrounds', { ...RUN, name: 'Taken' });
    const before = await listed();
    const refusal = await world.adam.refused('POST', '/realm/playgrounds', { ...RUN, ...parameters });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', errors, msg: Object.values<string[]>(errors)[0]?.[0] });
    expect(await listed()).toEqual(before);
  });

  it('takes names of languages that the highlighter does not know', async () => {
    const pygments_language = 'My C++/x86 #1_.-';
    await world.adam.post('/realm/playgrounds', { ...RUN, pygments_language });
    expect(await listed()).toContainEqual({ id: expect.any(Number), ...RUN, pygments_language });
  });

  it('keeps one when many add the same at once', async () => {
    const same = { ...RUN, name: 'Race' };
    const asks = Array.from({ length: 8 }, () => world.adam.request('POST', '/realm/playgrounds', same));
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });
});
