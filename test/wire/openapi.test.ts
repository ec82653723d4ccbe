import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    expect(form.encoding.read_by_sender).toEqual({ contentType: 'application/json' });
    expect(send.responses['400'].description).toContain('Message must not be empty');
    expect(body['paths']['/api/v1/server_settings'].get.security).toEqual([]);
  });

  it('names path parameters without their marks', async () => {
    const { body } = await world.spectator.request('GET', '/openapi.json');
    expect(Object.keys(body['paths'])).toContain('/api/v1/navigation_views/{fragment}');
    expect(Object.keys(body['paths']).filter((path) => path.includes('*'))).toEqual([]);
  });

  it('comes with a page that needs nothing from elsewhere', async () => {
    const { listener } = world.server;
    const page = await listener.inject({ method: 'GET', url: '/api/' });
    expect(page.headers['content-type']).toContain('text/html');
    const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBe(3);
    for (const url of links) expect((await listener.inject({ method: 'GET', url })).statusCode).toBe(200);
  });
});
