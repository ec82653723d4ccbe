import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEndpoint, Param } from '#kernel/endpoint';
import { described } from '#kernel/openapi';
import { endpoints } from '../../src/server.ts';
import type { Parameters } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Texts that hosts, databases and JSON have trouble with. */
const TEXTS = [
  '',
  '\u0000',
  'a\u0000b',
  'a\ud800b',
  '\udc00',
  '__proto__',
  '%',
  '\\',
  '\r\nX: y',
  '\u{10ffff}',
  '1e400',
  'NaN',
];
/** Numbers at the ends of what databases and languages count with. */
const NUMBERS = [-1, 0, 0.5, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e18, 9.3e18, 1e308];
const NEVER_SENT = new Set(['file', 'body', 'path', 'pathText']);
/** After these nobody would be let in any more. */
const ENDS_THE_WORLD = new Set(['deactivate-realm', 'deactivate-own-user', 'regenerate-own-api-key']);

/** A value with each of its leaves replaced in turn; of a leaf, all that stands for it. */
function* oddly(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* TEXTS;
  else if (typeof value === 'number') yield* NUMBERS;
  else if (Array.isArray(value)) {
    for (const [index, leaf] of value.entries()) for (const odd of oddly(leaf)) yield value.with(index, odd);
    yield* [[], [null], [[]], [...value, ...value]];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, leaf] of Object.entries(value)) for (const odd of oddly(leaf)) yield { ...value, [name]: odd };
    yield* ['{"__proto__":{"x":1}}', '{"a\\u0000b":1}', '{"\\ud800":1}'];
  } else yield* [null, 'null', 2];
}

const exampleOf = (name: string, param: Param) => described(name, param).example;

/** Requests in which all is as documented but for one value, which is odd. */
function* oddRequests({ id, params }: AnyEndpoint): Generator<Parameters> {
  const sent = Object.entries(params).filter(([, { encoding }]) => !NEVER_SENT.has(encoding));
  const needed = Object.fromEntries(
    sent.filter(([, { required }]) => required).map(([name, param]) => [name, exampleOf(name, param)]),
  );
  const base = { ...needed, ...(id === 'get-events' && { dont_block: true }) };
  for (const [name, param] of sent)
    for (const value of oddly(exampleOf(name, param))) yield { ...base, [name]: value } as Parameters;
}

describe.each(databases)('one odd value among good ones on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    await world.olive.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'hello' });
  });
  afterAll(() => world.close());

  const tried = endpoints.filter(({ id }) => !ENDS_THE_WORLD.has(id));

  it.each(tried.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s never fails for it',
    async (_id, endpoint) => {
      const path = endpoint.path.replace('{user_id}', String(world.gus.userId)).replaceAll(/\{[\w*]+\}/g, '1');
      for (const fields of oddRequests(endpoint)) {
        const { status, body } = await world.olive.request(endpoint.method, path, fields);
        if (status >= 500 && status !== 502) expect.fail(`${status} ${body['msg']}: ${JSON.stringify(fields)}`);
      }
    },
    120_000,
  );

  it.each(tried.filter(({ method, path }) => method === 'GET' && !path.includes('{')).map(({ path }) => [path]))(
    '%s still shows what was stored',
    async (path) => {
      const { status } = await world.olive.request('GET', path, { dont_block: true });
      expect(status).toBeLessThan(500);
    },
  );

  it('leaves an owner who can read the whole state', async () => {
    expect((await world.olive.post('/register'))['is_owner']).toBe(true);
  });
});
