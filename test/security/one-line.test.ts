import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** A name with line breaks, an escape sequence of terminals, and what Unicode and C1 count as line breaks. */
const SENT = 'Two\r\nlines \u001b[2J\u0085and\u2028more';
const STORED = 'Two lines  [2J and more';

describe.each(databases)('names that are shown on one line, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  /** Sends a name, and returns what is stored. */
  type Way = (clients: World) => Promise<unknown>;
  const last = async (client: Client, path: string, field: string): Promise<Body> =>
    ((await client.get(path))[field] as Body[]).at(-1) ?? {};

  it.each<[string, Way]>([
    [
      'the organization',
      async ({ olive }) => {
        await olive.patch('/realm', { name: SENT });
        return (await olive.register()).state['realm_name'];
      },
    ],
    [
      'a group',
      async ({ olive }) => {
        await olive.post('/user_groups/create', { name: SENT, description: '', members: [] });
        const groups: Body[] = (await olive.get('/user_groups'))['user_groups'];
        return groups.find(({ name }) => String(name).startsWith('Two'))?.['name'];
      },
    ],
    [
      'a profile field',
      async ({ olive }) => {
        await olive.post('/realm/profile_fields', { name: SENT, hint: SENT, field_type: 1 });
        const { name, hint } = await last(olive, '/realm/profile_fields', 'custom_fields');
        return name === hint && name;
      },
    ],
    [
      'a value of a profile',
      async ({ olive, max }) => {
        const { id } = await olive.post('/realm/profile_fields', { name: 'Nick', field_type: 1 });
        await max.patch('/users/me/profile_data', { data: [{ id, value: SENT }] });
        return (await max.get('/users/me'))['profile_data'][id].value;
      },
    ],
    [
      'a snippet',
      async ({ max }) => {
        await max.post('/saved_snippets', { title: SENT, content: 'x' });
        return (await last(max, '/saved_snippets', 'saved_snippets'))['title'];
      },
    ],
    [
      'a status',
      async ({ max }) => {
        await max.post('/users/me/status', { status_text: SENT });
        return (await max.get(`/users/${max.userId}/status`))['status'].status_text;
      },
    ],
    [
      'a playground',
      async ({ olive }) => {
        const url_template = 'https://play.example/?x={code}';
        await olive.post('/realm/playgrounds', { name: SENT, pygments_language: 'Rust', url_template });
        return (await olive.register()).state['realm_playgrounds'].at(-1).name;
      },
    ],
    [
      'a token of a directory',
      async ({ olive }) => {
        await olive.post('/realm/scim_tokens', { name: SENT });
        return (await last(olive, '/realm/scim_tokens', 'scim_tokens'))['name'];
      },
    ],
  ])('is one for %s', async (_what, way) => {
    expect(await way(world)).toBe(STORED);
  });
});
