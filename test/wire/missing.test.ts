import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerEndpoint } from '#features/event-queues';
import type { AnyEndpoint } from '#kernel/endpoint';
import { UnknownHost } from '#kernel/errors';
import { features } from '../../src/features.ts';
import type { Body } from '../support/client.ts';
import { openWorld, type World } from '../support/world.ts';

const endpoints = [...features.flatMap((feature) => feature.endpoints ?? []), registerEndpoint([], [])];
/** Nothing has this ID, nor this name. */
const NOTHING = { path: '2147483646', pathText: 'nothing' };
const own404 = (endpoint: AnyEndpoint) =>
  endpoint.fails.filter(({ row }) => row.status === 404 && row !== UnknownHost.row).map(({ row }) => row.text);
const named = endpoints.filter(({ path }) => path.includes('{'));
const byId = (several: readonly AnyEndpoint[]) => several.map((endpoint) => [endpoint.id, endpoint] as const);

describe('what is not there', () => {
  let world: World;
  let channel: number;
  let operations: Record<string, Record<string, Body>>;
  beforeAll(async () => {
    world = await openWorld('sqlite');
    channel = (await world.olive.post('/channels/create', { name: 'here', subscribers: [world.olive.userId] }))['id'];
    operations = JSON.parse((await world.spectator.fetch('/api/v1/openapi.json')).body).paths;
  });
  afterAll(() => world.close());

  const described = ({ method, path }: AnyEndpoint): Body => {
    const shape = path.replace(/\{[^}]*\}/g, '{}');
    const found = Object.entries(operations).find(
      ([template, methods]) =>
        template.replace(/\{[^}]*\}/g, '{}') === `/api/v1${shape}` && methods[method.toLowerCase()],
    );
    return found?.[1][method.toLowerCase()] ?? {};
  };
  /** Values of the parameters that must be sent, as the description shows them. */
  const examples = (endpoint: AnyEndpoint) => {
    const { parameters = [], requestBody } = described(endpoint);
    const [form] = Object.values<Body>(requestBody?.content ?? {});
    const fields = Object.entries<Body>(form?.['schema'].properties ?? {}).map(([name, { examples: shown }]) => [
      name,
      shown?.[0],
    ]);
    const queries = parameters
      .filter((one: Body) => one['in'] === 'query')
      .map((one: Body) => [one['name'], one['example']]);
    return Object.fromEntries([...fields, ...queries].filter(([name]) => endpoint.params[name]?.required === true));
  };
  /** What else must be as it would be for something that is there. */
  const SENT: Readonly<Record<string, Body>> = {
    'update-scheduled-message': { content: 'later' },
    'edit-saved-snippet': { title: 'a', content: 'b' },
  };
  const ask = async (endpoint: AnyEndpoint) => {
    if (endpoint.id === 'post-to-integration') {
      const bot = await world.olive.post('/bots', { full_name: 'Builder', short_name: 'builder', bot_type: 2 });
      const url = `/api/v1/external/${NOTHING.pathText}?api_key=${bot['api_key']}`;
      const { statusCode: status, body } = await world.spectator.fetch(url, { method: 'POST' });
      return { status, body: JSON.parse(body) };
    }
    const path = endpoint.path.replace(/\{(\w+)\*?\}/g, (_part, name: string) => {
      // What stands in a channel that is there.
      if (name === 'stream_id' && endpoint.path.includes('{rule_id}')) return String(channel);
      if (name === 'realm_id') return String(world.realm.id);
      return endpoint.params[name]?.encoding === 'path' ? NOTHING.path : NOTHING.pathText;
    });
    return world.olive.request(endpoint.method, path, { ...examples(endpoint), ...SENT[endpoint.id] });
  };

  it.each(byId(named))('is 404 where the operation says so, and nowhere else: %s', async (_id, endpoint) => {
    const { status, body } = await ask(endpoint);
    const texts = own404(endpoint);
    expect([status === 404, body['msg']]).toEqual([texts.length > 0, expect.anything()]);
    if (texts.length > 0) expect(texts.map((text) => text.replace('{name}', NOTHING.pathText))).toContain(body['msg']);
  });

  it('is told by 404 by no operation that names nothing in its path', () => {
    const others = endpoints.filter(({ path }) => !path.includes('{'));
    expect(others.length).toBeGreaterThan(100);
    expect(others.filter((endpoint) => own404(endpoint).length > 0).map(({ id }) => id)).toEqual([]);
  });

  it.each(byId(endpoints))('may be the organization, which the description says: %s', async (_id, endpoint) => {
    const url = `/api/v1${endpoint.path.replace(/\{\w+\*?\}/g, '1')}`;
    const headers = { host: 'nobody.localhost:9991', 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams(examples(endpoint)).toString();
    const { method } = endpoint;
    const answer = await world.server.listener.inject({ method, url, headers, ...(method !== 'GET' && { payload }) });
    const { responses } = described(endpoint);
    const isSaid = responses['404']?.description.includes('Invalid subdomain') ?? false;
    expect(answer.statusCode === 404 && answer.json().code === 'NONEXISTENT_SUBDOMAIN').toBe(isSaid);
  });

  it.each(byId(endpoints))('may be a number in the path, which the description says: %s', async (_id, endpoint) => {
    const hasNumber = Object.values(endpoint.params).some(({ encoding }) => encoding === 'path');
    const { responses } = described(endpoint);
    const isSaid = /API endpoint does not exist/.test(responses['404']?.description ?? '');
    if (!hasNumber) return expect([isSaid, endpoint.id]).toEqual([endpoint.id === 'post-to-integration', endpoint.id]);
    const path = endpoint.path.replace(/\{\w+\*?\}/g, 'abc');
    const { body } = await world.olive.request(endpoint.method, path, {});
    expect(body['msg'] === 'API endpoint does not exist').toBe(isSaid);
  });
});
