import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerEndpoint } from '#features/event-queues';
import { decode, type Fields } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import {
  amount,
  anyOf,
  anything,
  bool,
  boundedDict,
  dict,
  float,
  int,
  json,
  lenientObject,
  list,
  maybe,
  mostParts,
  nullable,
  type Schema,
  str,
  text,
  toWholeJsonSchema,
  tuple,
  unboundedParts,
  webUrl,
} from '#kernel/schema';
import { features } from '../../src/features.ts';
import type { Body } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

const endpoints = [...features.flatMap((feature) => feature.endpoints ?? []), registerEndpoint([], [])];
const params = endpoints.flatMap((endpoint) =>
  Object.entries(endpoint.params).map(([name, param]) => ({ title: `${endpoint.id}: ${name}`, name, param, endpoint })),
);
/** Files and bodies of a form that others choose are bounded where they are received. */
const valued = params.filter(({ param }) => param.encoding !== 'file' && param.encoding !== 'body');

describe('every parameter of every operation', () => {
  it('has a bound, throughout', () => {
    expect(valued.length).toBeGreaterThan(500);
    const without = valued.flatMap(({ title, param }) => unboundedParts(param.schema).map((part) => title + part));
    expect(without).toEqual([]);
  });

  it('keeps it: texts of a million characters, and JSON of a million values, are refused before anything else', () => {
    const long = 'x'.repeat(1_000_001);
    const many = `[${'0,'.repeat(1_000_000)}0]`;
    for (const { title, name, param } of valued) {
      const at = param.encoding === 'path' || param.encoding === 'pathText';
      // Numbers of the path are digits: the router sees to that.
      if (param.encoding === 'path') continue;
      const sent: readonly string[] = param.encoding === 'json' ? [many] : [long];
      for (const value of sent) {
        const fields: Fields = {
          texts: new Map(at ? [] : [[name, value]]),
          path: at ? { [name]: value } : {},
          file: undefined,
          posted: { contentType: '', bytes: undefined, fields: new Map() },
        };
        expect(
          refusalOf(() => decode({ [name]: param }, fields)),
          title,
        ).toMatch(/is too long|^Invalid|is not|has invalid|unexpected/);
      }
    }
  });

  it('keeps those of its numbers: what is just beyond is refused, alone, in a list and in an object', () => {
    let tried = 0;
    for (const { title, name, param } of valued) {
      for (const value of beyond(toWholeJsonSchema(param.schema))) {
        // A number of the path that no ID can have is that of nothing, and what is no JSON of the right kind may be a name.
        if (param.encoding === 'path' || param.encoding === 'lenient') continue;
        tried++;
        const texts = new Map([[name, JSON.stringify(value)]]);
        const posted = { contentType: '', bytes: undefined, fields: new Map<string, string>() };
        const fields: Fields = { texts, path: {}, file: undefined, posted };
        expect(
          refusalOf(() => decode({ [name]: param }, fields)),
          `${title}: ${JSON.stringify(value)}`,
        ).toMatch(/is too (large|small)|^Invalid|is not|field is missing/);
      }
    }
    expect(tried).toBeGreaterThan(300);
  });

  it.each<[string, Schema, readonly string[]]>([
    ['number of a response', float(), [' (number)']],
    ['number of a list', list(float(), { max: 3 }), ['[] (number)']],
    ['number that may be null', nullable(float()), [' (number)']],
    ['number of a request', amount(), []],
    ['text of a response', str(), [' (text)']],
    ['any JSON', json(), [' (any JSON)']],
    ['list without most items', list(int()), [' (list)']],
    ['list of texts', list(str(), { max: 3 }), ['[] (text)']],
    ['free members', dict(bool()), [' (members)', '{name} (text)']],
    ['member', lenientObject({ a: maybe(list(int())) }), ['.a (list)']],
    ['branch', anyOf(int(), str()), [' (text)']],
    ['tuple', tuple(int(), str()), ['[1] (text)']],
  ])('would be found without one: %s', (_what, schema, parts) => {
    expect(unboundedParts(schema)).toEqual(parts);
  });

  it('counts the values that it may hold', () => {
    expect(mostParts(text())).toBe(1);
    expect(mostParts(list(int(), { max: 10 }))).toBe(11);
    expect(mostParts(boundedDict(list(int(), { max: 2 }), { max: 5, key: 3 }))).toBe(21);
    expect(mostParts(lenientObject({ a: int(), b: maybe(webUrl()) }))).toBe(5);
    expect(mostParts(anything({ max: 7 }))).toBe(7);
    expect(mostParts(anyOf(int(), list(int(), { max: 3 })))).toBe(4);
  });
});

/** Values that have a number just beyond its bounds: the schema's own, or one of its items or members. */
function beyond(schema: Body): unknown[] {
  const several: Body[] = schema['anyOf'] ?? [];
  if (several.length > 0) return several.flatMap(beyond);
  const { type, minimum, maximum, items, properties } = schema;
  if (type === 'integer' && 'minimum' in schema) return [Number(minimum) - 1, Number(maximum) + 1];
  if (type === 'array' && items) return beyond(items).map((value) => [value]);
  return Object.entries<Body>(properties ?? {}).flatMap(([name, member]) =>
    beyond(member).map((value) => ({ [name]: value })),
  );
}

function refusalOf(act: () => unknown): string {
  try {
    act();
    return 'nothing was refused';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}

describe.each(databases)('bounds, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('stand in the description of the API', async () => {
    const document = JSON.parse((await world.spectator.fetch('/api/v1/openapi.json')).body);
    const { schema } = document.paths['/api/v1/register'].post.requestBody.content['application/x-www-form-urlencoded'];
    expect(schema.properties.narrow.contentSchema).toMatchObject({
      maxItems: 100,
      items: { maxItems: 10, items: { maxLength: 1000 } },
    });
    expect(schema.properties.event_types.contentSchema).toMatchObject({ maxItems: 500, items: { maxLength: 100 } });
    const [storage] = Object.values<Body>(document.paths['/api/v1/bot_storage'].put.requestBody.content);
    expect(storage?.['schema'].properties.storage.contentSchema).toMatchObject({ maxProperties: 10_000 });
    const narrow = document.paths['/api/v1/messages'].get.parameters.find((one: Body) => one['name'] === 'narrow');
    expect(narrow.schema.contentSchema).toMatchObject({
      maxItems: 100,
      items: { 'x-max-json-length': 10_000 },
    });
  });

  it('stand there for every number and every text of every parameter', async () => {
    const document = JSON.parse((await world.spectator.fetch('/api/v1/openapi.json')).body);
    const resolve = ({ $ref, ...rest }: Body): Body =>
      $ref ? document.components.schemas[$ref.split('/').at(-1)] : rest;
    const unbounded = (given: Body, at: string): string[] => {
      const schema = resolve(given);
      const inner = [
        ...(schema['anyOf'] ?? schema['oneOf'] ?? []).map((one: Body, n: number) => [`${at}|${n}`, one]),
        ...Object.entries(schema['properties'] ?? {}).map(([name, one]) => [`${at}.${name}`, one]),
        ...['items', 'contentSchema', 'propertyNames'].flatMap((key) =>
          schema[key] ? [[`${at} ${key}`, schema[key]]] : [],
        ),
      ].flatMap(([name, one]) => unbounded(one, name));
      const kinds = [schema['type']].flat();
      const isChoice = 'const' in schema || 'enum' in schema || 'x-max-json-length' in schema;
      const isNumber = kinds.includes('integer') || kinds.includes('number');
      if (isChoice) return inner;
      if (isNumber && !('minimum' in schema && 'maximum' in schema)) return [...inner, `${at}: a number`];
      const isBounded = 'maxLength' in schema || 'contentMediaType' in schema;
      return kinds.includes('string') && !isBounded ? [...inner, `${at}: a text`] : inner;
    };
    const found = Object.entries<Body>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Body>(methods).flatMap(([method, { parameters, requestBody }]) => [
        ...parameters.flatMap(({ name, schema }: Body) => unbounded(schema, `${method} ${path} ${name}`)),
        ...Object.values<Body>(requestBody?.content ?? {}).flatMap(({ schema }) =>
          unbounded(schema, `${method} ${path} body`),
        ),
      ]),
    );
    expect(found).toEqual([]);
  });

  it('hold for the operands of narrows, all searches together', async () => {
    const { max } = world;
    const refusal = async (narrow: readonly object[]) =>
      (
        await max.refused('POST', '/messages/flags/narrow', {
          anchor: 'newest',
          num_before: 1,
          num_after: 1,
          narrow,
          op: 'add',
          flag: 'read',
        })
      ).msg;
    const words = (count: number) => Array.from({ length: count }, (_none, n) => `w${n}`).join(' ');
    const term = (operand: unknown, operator = 'search') => ({ operator, operand });
    expect(await refusal([term('x'.repeat(1001))])).toBe('operand is too long (limit: 1000 characters)');
    expect(await refusal([term('x'.repeat(1001), 'topic')])).toBe('operand is too long (limit: 1000 characters)');
    expect(await refusal([term('x'.repeat(1001), 'channel')])).toBe('operand is too long (limit: 1000 characters)');
    expect(await refusal([term(words(200)), term('x '.repeat(300))])).toBe(
      'search is too long (limit: 1000 characters)',
    );
    expect(await refusal([term(words(101))])).toBe('search is too long (limit: 100 words)');
    expect(await refusal([term(words(101), 'search')].map((one) => ({ ...one, negated: true })))).toBe(
      'search is too long (limit: 100 words)',
    );
    expect(await refusal([term('x'.repeat(20_000), 'dm')])).toBe('narrow[0] is too long (limit: 10000 characters)');
    expect(await refusal(Array.from({ length: 101 }, () => term('unread', 'is')))).toBe(
      'narrow is too long (limit: 100 items)',
    );
    await max.post('/messages/flags/narrow', {
      anchor: 'newest',
      num_before: 1,
      num_after: 1,
      narrow: [term(words(100))],
      op: 'add',
      flag: 'read',
    });
  });

  it('hold for invitations', async () => {
    const { adam } = world;
    const addresses = (count: number) => Array.from({ length: count }, (_none, n) => `p${n}@many.test`).join(',');
    const refused = async (fields: object) =>
      (await adam.refused('POST', '/invites', { stream_ids: [], ...fields })).msg;
    expect(await refused({ invitee_emails: addresses(301) })).toBe('You can invite at most 300 people at once.');
    expect(await refused({ invitee_emails: 'x'.repeat(100_001) })).toMatch('is too long (limit: 100000 characters)');
    await adam.post('/invites', { stream_ids: [], invitee_emails: addresses(300) });
    expect((await adam.get('/invites'))['invites']).toHaveLength(300);
  });

  it('hold for paths and headers: 16 KiB together', async () => {
    const port = await world.server.listener.listen(0, '127.0.0.1');
    const statusOf = (path: string, header: string) =>
      new Promise<number | 'refused' | undefined>((resolve) => {
        const request = get({ port, host: '127.0.0.1', path, headers: { 'x-long': header } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode === 431 ? 'refused' : answer.statusCode);
        });
        request.once('error', () => resolve('refused'));
      });
    const long = 'x'.repeat(17_000);
    expect(await statusOf('/api/v1/server_settings', 'x')).toBe(200);
    expect(await statusOf('/api/v1/server_settings', long)).toBe('refused');
    expect(await statusOf(`/api/v1/server_settings?${long}`, 'x')).toBe('refused');
  });
});
