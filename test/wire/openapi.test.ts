import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/client.ts';
import { openWorld, type World } from '../support/world.ts';

describe('the API document', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('sqlite');
  });
  afterAll(() => world.close());

  it('describes every operation with its form, its JSON fields and its errors', async () => {
    const { body } = await world.spectator.request('GET', '/openapi.json');
    expect(body['openapi']).toBe('3.1.0');
    const send = body['paths']['/api/v1/messages'].post;
    const form = send.requestBody.content['application/x-www-form-urlencoded'];
    expect(form.schema.required).toEqual(['type', 'content']);
    expect(form.schema.properties.read_by_sender).toMatchObject({ type: 'boolean' });
    const flags = body['paths']['/api/v1/messages/flags'].post.requestBody.content['application/x-www-form-urlencoded'];
    expect(flags.schema.properties.messages).toMatchObject({
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { type: 'array', items: { type: 'integer' } },
    });
    expect(send.responses['400'].description).toContain('Message must not be empty');
    expect(body['paths']['/api/v1/server_settings'].get.security).toEqual([]);
  });

  it('says which operations answer that something is not there, and that a body is too large', async () => {
    const { body } = await world.spectator.request('GET', '/openapi.json');
    const statuses = (path: string, method: string) => Object.keys(body['paths'][`/api/v1${path}`][method].responses);
    expect(statuses('/streams/{stream_id}', 'get')).toContain('404');
    expect(body['paths']['/api/v1/streams/{stream_id}'].get.responses['404'].description).toContain(
      'endpoint does not exist',
    );
    expect(statuses('/users/me', 'get')).toEqual(['200', '308', '401', '404', '400', '429', '431', '503'].toSorted());
    expect(statuses('/messages', 'post')).toEqual(expect.arrayContaining(['404', '408', '413', '429', '503']));
  });

  it('names path parameters without their marks', async () => {
    const { body } = await world.spectator.request('GET', '/openapi.json');
    expect(Object.keys(body['paths'])).toContain('/api/v1/navigation_views/{fragment}');
    expect(Object.keys(body['paths']).filter((path) => path.includes('*'))).toEqual([]);
  });

  it('has one path for those that take a number and those that take a text in the same place', async () => {
    const { body } = await world.spectator.request('GET', '/openapi.json');
    const shapes = Object.keys(body['paths']).map((path) => path.replace(/\{[^}]*\}/g, '{}'));
    expect(shapes).toEqual([...new Set(shapes)]);
    const { get, delete: removal } = body['paths']['/api/v1/users/{user_id_or_email}'];
    const first = (operation: Body) => operation['parameters'][0];
    expect(first(get)).toMatchObject({
      name: 'user_id_or_email',
      schema: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    });
    expect(first(removal)).toMatchObject({ name: 'user_id_or_email', schema: { type: 'integer' } });
    expect(get.responses['400'].description).toContain('No such user');
  });

  it('links each operation to the heading of the protocol that says what it does', async () => {
    const { body } = await world.spectator.request('GET', '/openapi.json');
    const operations = Object.values<Record<string, { description: string }>>(body['paths']).flatMap(Object.values);
    const links = operations.map(({ description }) =>
      /\]\((\/api\/protocol\/[\w-]+)(?:#([\w-]+))?\)/.exec(description),
    );
    expect(links.filter((link) => link === null)).toEqual([]);
    const shown = new Map<string, string>();
    for (const url of new Set(links.map((link) => link?.[1] ?? ''))) {
      const page = await world.server.listener.inject({ method: 'GET', url });
      expect(page.statusCode).toBe(200);
      shown.set(url, page.body);
    }
    const dead = links.filter((link) => link?.[2] && !shown.get(link[1] ?? '')?.includes(`<strong id="${link[2]}">`));
    expect(dead).toEqual([]);
  });

  it('shows no file that is not a page of the protocol', async () => {
    for (const name of ['..%2fsecurity', '..%2F..%2Fpackage.json', 'nothing', 'README.md']) {
      const page = await world.server.listener.inject({ method: 'GET', url: `/api/protocol/${name}` });
      expect([name, page.statusCode]).toEqual([name, 404]);
    }
  });

  it('comes with a page that needs nothing from elsewhere', async () => {
    const { listener } = world.server;
    const page = await listener.inject({ method: 'GET', url: '/api/' });
    expect(page.headers['content-type']).toContain('text/html');
    const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links).toContain('/api/assets/reference.js');
    for (const url of links)
      expect([url, (await listener.inject({ method: 'GET', url })).statusCode]).toEqual([url, 200]);
  });
});
