import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEndpoint } from '#kernel/endpoint';
import { endpoints } from '../../src/server.ts';
import type { Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Requests tried for each operation. */
const RUNS = 25;

const nasty = fc.constantFrom(
  '',
  ' ',
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1',
  '2',
  '99999999999999999999',
  '1e400',
  '5.5',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"new":0}',
  '{"__proto__":{"x":1}}',
  '[1,2,3]',
  '["a"]',
  '"text"',
  'role:everyone',
  '\u0000',
  '\ud800',
  '😀'.repeat(70),
  'x'.repeat(20_000),
  '[{"name":"a"}]',
  '[{"id":1,"value":"x"}]',
  '[["stream","x"]]',
  '{"direct_members":[1],"direct_subgroups":[]}',
  '['.repeat(5000),
  '../../etc/passwd',
  'newest',
  'oldest',
  'channel',
  'stream',
  'direct',
  'add',
  'remove',
  'read',
  'starred',
  'max@example.com',
  'javascript:alert(1)',
  '(a+)+$',
  '#76ce90',
);
const text = fc.oneof(
  { weight: 4, arbitrary: nasty },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.json({ maxDepth: 3 }),
);

/** A request for this operation: each parameter there or not, each value something or other. */
function requestFor(endpoint: AnyEndpoint) {
  const names = Object.keys(endpoint.params);
  return fc.record({
    path: fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(fc.nat(12).map(String), text)]))),
    fields: fc.record(Object.fromEntries([...names, 'unknown_thing'].map((name) => [name, text])), {
      requiredKeys: [],
    }),
    who: fc.constantFrom('olive', 'max', 'gus', 'spectator' as const),
  });
}

describe.each(databases)('any input on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    await world.max.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'hello' });
  });
  afterAll(() => world.close());

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s answers in the envelope, never with a failure of the server',
    async (_id, endpoint) => {
      await fc.assert(
        fc.asyncProperty(requestFor(endpoint), async ({ path, fields, who }) => {
          const client: Client = world[who === 'olive' || who === 'max' || who === 'gus' ? who : 'spectator'];
          const url = endpoint.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
            encodeURIComponent(String(Reflect.get(path, name) ?? '1').replaceAll(/\p{Surrogate}/gu, '')),
          );
          const { status, body } = await client.request(endpoint.method, url, {
            ...fields,
            ...(endpoint.id === 'get-events' && { dont_block: 'true' }),
          });
          expect([200, 400, 401, 403, 404, 405, 409, 413, 429, 502]).toContain(status);
          expect(body['result']).toBe(status === 200 ? 'success' : 'error');
          expect(body['msg']).toBeTypeOf('string');
          if (status !== 200) expect(body['code']).toBeTypeOf('string');
        }),
        { numRuns: RUNS },
      );
    },
  );
});
