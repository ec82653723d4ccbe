import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { createOrganization } from './create.ts';
import { moveOrganization, subdomainFault } from './move.ts';

describe.each(databases)('an organization that gets another address, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());

  const at = (
    host: string,
    path: string,
    method: 'GET' | 'POST' | 'HEAD' = 'GET',
    headers: Record<string, string> = {},
  ) => world.max.fetch(path, { method, headers: { host, ...headers } });
  const move = (subdomain: string, realm: { readonly id: World['realm']['id'] } = world.realm) =>
    moveOrganization(world.server.context, realm, subdomain);
  const found = (subdomain: string) =>
    createOrganization(world.server.context, {
      subdomain,
      name: subdomain,
      owner: { email: `owner@${subdomain}.test`, full_name: 'Other Owner', password: 'a good long password' },
    });

  it('is led to from the old one, by browsers and by clients (protocol/organizations#moving)', async () => {
    const { max } = world;
    const { queue_id } = await max.post('/register', { event_types: ['message'] });
    expect((await at('localhost', '/api/v1/users/me')).statusCode).toBe(200);
    expect(await move('nests')).toBe(true);
    for (const [method, path, to] of [
      ['GET', '/', '/'],
      ['GET', '/login/?next=%2Fa', '/login/?next=%2Fa'],
      ['HEAD', '/login/', '/login/'],
      ['GET', '/api/v1/server_settings', '/api/v1/server_settings'],
      [
        'GET',
        `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`,
        `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`,
      ],
      ['POST', '/api/v1/messages', '/api/v1/messages'],
      ['GET', `/user_uploads/1/a/b/c.txt?api_key=${max.apiKey}`, '/user_uploads/1/a/b/c.txt'],
    ] as const) {
      const { statusCode, headers, body } = await at('localhost', path, method);
      expect([path, statusCode, headers['location']]).toEqual([path, 308, `http://nests.localhost:9991${to}`]);
      if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ result: 'error', code: 'NONEXISTENT_SUBDOMAIN' });
      expect(body).not.toContain(max.apiKey);
    }
    const there = await at('nests.localhost', `/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`);
    expect(JSON.parse(there.body)).toMatchObject({ result: 'success' });
    expect((await at('elsewhere.localhost', '/api/v1/users/me')).statusCode).toBe(404);
  });

  it('is led to from all that it had, and has back what it takes again', async () => {
    await move('first');
    await move('second');
    for (const host of ['localhost', 'first.localhost'])
      expect((await at(host, '/')).headers['location']).toBe('http://second.localhost:9991/');
    await move('first');
    expect((await at('first.localhost', '/api/v1/users/me')).statusCode).toBe(200);
    expect((await at('second.localhost', '/')).headers['location']).toBe('http://first.localhost:9991/');
    await move('');
    expect((await at('localhost', '/api/v1/users/me')).statusCode).toBe(200);
  });

  it('gives way to another organization that takes an old address, and takes none that is had', async () => {
    await move('first');
    await move('second');
    const other = await found('first');
    expect((await at('first.localhost', '/api/v1/server_settings')).statusCode).toBe(200);
    expect((await at('first.localhost', '/api/v1/users/me')).statusCode).toBe(401);
    expect(await move('first')).toBe(false);
    expect(await move('second')).toBe(false);
    expect(await move('second', other.realm)).toBe(false);
    // When the other organization is gone, the address leads to the one that had it last.
    await move('third', other.realm);
    expect((await at('first.localhost', '/')).headers['location']).toBe('http://third.localhost:9991/');
    expect((await at('localhost', '/')).headers['location']).toBe('http://second.localhost:9991/');
  });

  it('is had by one of two that want it at once', async () => {
    const other = await found('other');
    const moved = await Promise.all([move('wanted'), move('wanted', other.realm)]);
    expect(moved.filter((isMoved) => isMoved)).toHaveLength(1);
  });
});

describe('the label of an organization', () => {
  it.each(['Upper', '-a', 'a-', 'a.b', 'a b', 'ä', 'x'.repeat(41), '~1', 'a\n'])('is not %j', (label) => {
    expect(subdomainFault(label)).toBeDefined();
  });

  it.each(['', 'a', 'a-b', '42', 'x'.repeat(40)])('may be %j', (label) => {
    expect(subdomainFault(label)).toBeUndefined();
  });
});
