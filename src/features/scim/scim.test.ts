import { listUsers } from '#features/users';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { least, longestTurn } from '../../../test/support/processor.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { addToken, revokeToken, tokensOf } from './index.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, unknown>>;
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

describe.each(databases)('SCIM, on %s', (database) => {
  let world: World;
  let token: string;
  beforeEach(async () => {
    world = await openWorld(database);
    token = await addToken(world.server.context, world.realm, 'Okta');
  });
  afterEach(() => world.close());

  async function call(
    method: Method,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await world.server.listener.inject({
      method,
      url: `/scim/v2${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? {} : response.json(),
      headers: response.headers,
    };
  }
  const patch = (path: string, Operations: unknown, headers?: Record<string, string>) =>
    call('PATCH', path, { schemas: [PATCH], Operations }, headers);
  const found = async (path: string, filter: string) => {
    const { body } = await call('GET', `${path}?filter=${encodeURIComponent(filter)}`);
    return (body['Resources'] ?? body).map?.(({ id }: { id: string }) => Number(id)) ?? body['scimType'];
  };
  const nora = {
    schemas: [USER],
    userName: 'nora@roost.test',
    name: { givenName: 'Nora', familyName: 'Newcomer' },
    externalId: 'x-1',
  };
  const person = async (id: number) => (await world.olive.get(`/users/${id}`)).user;

  it('has tokens that owners make, see and end, and nobody else', async () => {
    const { olive, adam } = world;
    const path = '/realm/scim_tokens';
    expect((await adam.request('GET', path)).body['code']).toBe('UNAUTHORIZED_PRINCIPAL');
    expect((await adam.request('POST', path, { name: 'mine' })).body['code']).toBe('UNAUTHORIZED_PRINCIPAL');
    const { secret } = await olive.post(path, { name: ' Entra ' });
    const { scim_tokens } = await olive.get(path);
    expect(scim_tokens.map(({ name }: Body) => name)).toEqual(['Okta', 'Entra']);
    expect(JSON.stringify(scim_tokens)).not.toContain(secret);
    token = secret;
    expect((await call('GET', '/Users')).status).toBe(200);
    const { id } = scim_tokens[1];
    expect((await adam.request('DELETE', `${path}/${id}`)).status).toBe(400);
    await olive.delete(`${path}/${id}`);
    expect((await call('GET', '/Users')).status).toBe(401);
    expect((await olive.request('DELETE', `${path}/${id}`)).body['msg']).toBe('No such token.');
    // At once, and more than there may be.
    const made = await Promise.all(
      Array.from({ length: 25 }, (_, at) => olive.request('POST', path, { name: `token ${at}` })),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(19);
    expect((await olive.get(path)).scim_tokens).toHaveLength(20);
    expect((await olive.request('POST', path, { name: 'one more' })).body['msg']).toContain('20 tokens');
  });

  it("has tokens that work as long as who made them is an owner, and the operator's for ever", async () => {
    const { olive } = world;
    const chief = await world.user({ role: 100 });
    const operators = token;
    token = (await chief.post('/realm/scim_tokens', { name: 'Entra' })).secret;
    const works = async () => (await olive.get('/realm/scim_tokens')).scim_tokens.map(({ works }: Body) => works);
    const status = async () => (await call('GET', '/Users')).status;
    expect([await status(), await works()]).toEqual([200, [true, true]]);
    await olive.patch(`/users/${chief.userId}`, { role: 200 });
    expect([await status(), await works()]).toEqual([401, [true, false]]);
    await olive.patch(`/users/${chief.userId}`, { role: 100 });
    expect(await status()).toBe(200);
    await olive.delete(`/users/${chief.userId}`);
    expect([await status(), await works()]).toEqual([401, [true, false]]);
    expect((await olive.get('/realm/scim_tokens')).scim_tokens[1].owner_id).toBe(chief.userId);
    token = operators;
    expect(await status()).toBe(200);
  });

  it('is for tokens of the organization only, which are stored hashed and end at once', async () => {
    expect(await call('GET', '/Users', undefined, { authorization: world.olive.authorization })).toMatchObject({
      status: 401,
      body: { schemas: [ERROR], status: '401' },
      headers: { 'www-authenticate': 'Bearer realm="scim"', 'content-type': 'application/scim+json; charset=utf-8' },
    });
    for (const wrong of ['', 'Bearer ', `Bearer ${token}x`, `Bearer ${token.slice(0, -1)}`])
      expect((await call('GET', '/Users', undefined, { authorization: wrong })).status).toBe(401);
    const { context } = world.server;
    const rows = await tokensOf(context, world.realm);
    expect(rows).toEqual([expect.objectContaining({ name: 'Okta', last_used_at: null })]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(-20));
    expect((await call('GET', '/Users')).status).toBe(200);
    expect((await tokensOf(context, world.realm))[0]?.last_used_at).toBe(context.clock.now());
    const other = { ...world.realm, id: world.realm.id + 1 } as World['realm'];
    expect(await revokeToken(context, other, rows[0]?.id ?? 0)).toBe(false);
    expect(await revokeToken(context, world.realm, rows[0]?.id ?? 0)).toBe(true);
    expect((await call('GET', '/Users')).status).toBe(401);
  });

  it('counts wrong tokens for the network that they come from, and lets the right one in', async () => {
    await world.close();
    world = await openWorld(database, { environment: { ROOST_RATE_LIMITS: 'on' } });
    token = await addToken(world.server.context, world.realm, 'Okta');
    const wrong = async (n: number) =>
      (await call('GET', '/Users', undefined, { authorization: `Bearer roost-scim-${n}` })).status;
    const answers = await Promise.all(Array.from({ length: 70 }, (_, n) => wrong(n)));
    expect([
      answers.filter((status) => status === 401).length,
      answers.filter((status) => status === 429).length,
    ]).toEqual([60, 10]);
    expect((await call('GET', '/Users')).status).toBe(200);
    expect(await wrong(70)).toBe(429);
  });

  it('says what it can', async () => {
    expect((await call('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      etag: { supported: true },
    });
    expect((await call('GET', '/ResourceTypes')).body['Resources'].map(({ id }: Body) => id)).toEqual([
      'User',
      'Group',
    ]);
    expect((await call('GET', '/ResourceTypes/Group')).body['endpoint']).toBe('/Groups');
    expect((await call('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER, name: 'User' });
    expect((await call('GET', '/Schemas/none')).status).toBe(404);
  });

  it('makes accounts, with the events of any account, whatever the rules for joining are', async () => {
    const queue = await world.mia.register({ event_types: ['realm_user'] });
    const made = await call('POST', '/Users', nora);
    expect(made).toMatchObject({
      status: 201,
      body: {
        schemas: [USER],
        userName: 'nora@roost.test',
        displayName: 'Nora Newcomer',
        externalId: 'x-1',
        active: true,
        roles: [{ value: 'member' }],
        meta: { resourceType: 'User' },
      },
    });
    const { id, meta } = made.body as { id: string; meta: Body };
    expect(made.headers).toMatchObject({
      location: `http://localhost:9991/scim/v2/Users/${id}`,
      etag: meta['version'],
    });
    const add = { type: 'realm_user', op: 'add', person: expect.objectContaining({ user_id: Number(id), role: 400 }) };
    expect(await queue.events()).toMatchObject([add]);
    expect((await call('GET', `/Users/${id}`)).body).toEqual(made.body);
    const { entries } = await world.olive.get('/realm/audit_log');
    expect(entries).toContainEqual(
      expect.objectContaining({
        via: 'scim: Okta',
        actor: { kind: 'server', user_id: null },
        target: expect.objectContaining({ kind: 'user', id: Number(id) }),
      }),
    );
    expect(await call('POST', '/Users', { ...nora, userName: 'NORA@roost.test' })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    });
  });

  it.each([
    ['no userName', { userName: undefined }, 400],
    ['an address that is none', { userName: 'nora' }, 400],
    ['a name that cannot be', { displayName: 'N*ra' }, 400],
    ['a role that there is not', { roles: [{ value: 'king' }] }, 400],
    ['an attribute that there is not', { shoeSize: 42 }, 400],
    ['the role of an owner', { roles: [{ value: 'owner' }] }, 403],
  ])('makes nothing of %s', async (_what, change, status) => {
    const before = (await world.olive.get('/users')).members.length;
    expect(await call('POST', '/Users', { ...nora, ...change })).toMatchObject({
      status,
      body: { schemas: [ERROR], status: String(status) },
    });
    expect((await world.olive.get('/users')).members).toHaveLength(before);
  });

  it('makes one account of two requests at once', async () => {
    const answers = await Promise.all([call('POST', '/Users', nora), call('POST', '/Users', nora)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  it('refuses bodies that are no JSON, no object or no change', async () => {
    for (const body of ['{', '[]', '"x"', ''])
      expect(await call('POST', '/Users', body)).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
    const path = `/Users/${world.max.userId}`;
    for (const operations of [
      undefined,
      [],
      [{ op: 'jump' }],
      [{ op: 'replace', value: 'x' }],
      [{ op: 'remove' }],
      [null],
    ])
      expect((await patch(path, operations)).status).toBe(400);
    expect((await call('PATCH', path, { Operations: [{ op: 'replace', value: {} }] })).status).toBe(400);
  });

  it('reads no body that would keep others waiting, and the largest group', async () => {
    const members = (count: number) => Array.from({ length: count }, () => ({ value: String(world.max.userId) }));
    const group = (count: number) => ({ schemas: [GROUP], displayName: 'All', members: members(count) });
    expect((await call('POST', '/Groups', group(50_000))).status).toBe(201);
    expect(
      await call('POST', '/Groups', { ...group(1), other: Array.from({ length: 200_000 }, () => 0) }),
    ).toMatchObject({
      status: 400,
      body: { scimType: 'invalidSyntax' },
    });
    expect((await call('POST', '/Groups', { ...group(1), other: 'x'.repeat(4 * 2 ** 20) })).status).toBe(413);
  });

  it('changes accounts step by step, as directories write it, all or nothing', async () => {
    const path = `/Users/${world.max.userId}`;
    const queue = await world.mia.register({ event_types: ['realm_user'] });
    const done = await patch(path, [
      { op: 'Replace', path: 'displayName', value: 'Maximilian' },
      { op: 'add', path: 'emails[type eq "work"].value', value: 'max@roost.test' },
      {
        op: 'replace',
        value: { externalId: 'x-2', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'x' },
      },
      { op: 'replace', path: `${USER}:roles`, value: [{ value: 'moderator', primary: true }] },
    ]);
    expect(done).toMatchObject({
      status: 200,
      body: {
        displayName: 'Maximilian',
        userName: 'max@roost.test',
        externalId: 'x-2',
        roles: [{ value: 'moderator' }],
      },
    });
    expect(await person(world.max.userId)).toMatchObject({
      full_name: 'Maximilian',
      delivery_email: 'max@roost.test',
      role: 300,
    });
    expect((await queue.events()).filter(({ type }) => type === 'realm_user').length).toBeGreaterThanOrEqual(2);
    const half = [
      { op: 'replace', path: 'displayName', value: 'Somebody' },
      { op: 'replace', path: 'userName', value: world.mia.email },
    ];
    expect((await patch(path, half)).status).toBe(409);
    expect(await person(world.max.userId)).toMatchObject({ full_name: 'Maximilian' });
    expect(await patch(path, [{ op: 'replace', path: 'name.familyName', value: 'Muster' }])).toMatchObject({
      body: { displayName: 'Maximilian Muster' },
    });
    expect(
      (await patch(path, [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'y@roost.test' }])).body[
        'scimType'
      ],
    ).toBe('noTarget');
    expect((await patch(path, [{ op: 'replace', path: 'shoeSize', value: 1 }])).body['scimType']).toBe('invalidPath');
    expect((await patch(path, [{ op: 'replace', path: 'emails[', value: 1 }])).body['scimType']).toBe('invalidPath');
    for (const deep of ['name.formatted.x', 'photos.value.x'])
      expect((await patch(path, [{ op: 'replace', path: deep, value: 1 }])).body['scimType']).toBe('invalidPath');
    // A name that every object has is no attribute (security#asvs, 15.3.6).
    for (const name of ['__proto__', 'urn:ietf:params:scim:schemas:core:2.0:User:__proto__', 'constructor'])
      expect((await patch(path, [{ op: 'replace', value: { [name]: 1 } }])).body['scimType']).toBe('invalidPath');
    expect((await patch(path, [{ op: 'remove', path: 'userName' }])).body['scimType']).toBe('invalidValue');
    const again = await world.mia.register({ event_types: ['realm_user'] });
    expect((await patch(path, [{ op: 'replace', path: 'active', value: 'True' }])).status).toBe(200);
    expect(await again.events()).toEqual([]);
  });

  it('deactivates and reactivates, ending sessions and polls; what it deleted is gone until it is made again', async () => {
    const path = `/Users/${world.max.userId}`;
    const queue = await world.mia.register({ event_types: ['realm_user'] });
    expect(await patch(path, [{ op: 'replace', value: { active: false } }])).toMatchObject({
      status: 200,
      body: { active: false },
    });
    expect((await world.max.request('GET', '/users/me')).body['code']).toBe('USER_DEACTIVATED');
    expect(await queue.events()).toMatchObject([{ person: { user_id: world.max.userId, is_active: false } }]);
    expect(await patch(path, [{ op: 'replace', path: 'active', value: true }])).toMatchObject({
      body: { active: true },
    });
    expect((await world.max.get('/users/me')).user_id).toBe(world.max.userId);
    expect((await call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const) expect((await call(method, path)).status).toBe(404);
    expect(await found('/Users', `userName eq "${world.max.email}"`)).toEqual([]);
    expect((await person(world.max.userId)).is_active).toBe(false);
    const back = await call('POST', '/Users', { ...nora, userName: world.max.email, displayName: 'Max Again' });
    expect(back).toMatchObject({
      status: 201,
      body: { id: String(world.max.userId), active: true, displayName: 'Max Again' },
    });
  });

  it('may what an administrator may: owners are protected, bots are not there', async () => {
    const path = `/Users/${world.olive.userId}`;
    for (const change of [{ active: false }, { roles: [{ value: 'member' }] }, { userName: 'mine@roost.test' }])
      expect((await patch(path, [{ op: 'replace', value: change }])).status).toBe(403);
    expect((await call('DELETE', path)).status).toBe(403);
    expect(
      (await patch(`/Users/${world.max.userId}`, [{ op: 'replace', value: { roles: [{ value: 'owner' }] } }])).status,
    ).toBe(403);
    expect(await person(world.olive.userId)).toMatchObject({ role: 100, is_active: true });
    const { user_id } = await world.max.post('/bots', { full_name: 'Helper', short_name: 'helper' });
    expect((await call('GET', `/Users/${user_id}`)).status).toBe(404);
    expect((await call('GET', '/Users?filter=displayName%20co%20%22Bot%22')).body['totalResults']).toBe(0);
    expect((await call('DELETE', `/Users/${user_id}`)).status).toBe(404);
  });

  /** Every way in which a change can write a role: steps of PATCH. */
  const rolesWritten = (value: string): readonly (readonly [string, readonly object[]])[] => {
    const lists = { list: [{ value }], object: { value }, text: value, texts: [value] };
    const primary = [{ value: 'guest' }, { value, primary: true }];
    const named = (name: string, said: unknown) => ({ op: 'replace', value: { [name]: said } });
    const at = (path: string, said: unknown, op = 'replace') => ({ op, path, value: said });
    return [
      ...['roles', 'ROLES', `${USER}:roles`, `${USER.toLowerCase()}:Roles`].flatMap((name) =>
        Object.entries({ ...lists, primary }).flatMap(([form, said]): [string, object[]][] => [
          [`${name} as ${form} in a value`, [named(name, said)]],
          [`${name} as ${form} at a path`, [at(name, said)]],
        ]),
      ),
      ...['roles.value', 'Roles.Value', `${USER}:roles.value`].flatMap((name): [string, object[]][] => [
        [`${name} in a value`, [named(name, value)]],
        [`${name} at a path`, [at(name, value, 'Add')]],
      ]),
      ['a part of what a filter finds', [at('roles[primary eq true].value', value)]],
      ['a part of what another filter finds', [at('roles[value ne "king"].VALUE', value, 'add')]],
      ['what a filter finds', [at(`${USER}:roles[primary eq true]`, { value })]],
      ['a later step', [named('displayName', 'Somebody Else'), at('roles', [{ value }], 'add')]],
    ];
  };

  it.each(rolesWritten('owner'))('makes nobody an owner by %s (security#asvs, 15.3.3)', async (_how, steps) => {
    const before = await person(world.max.userId);
    const path = `/Users/${world.max.userId}`;
    expect((await patch(path, steps)).status).toBe(403);
    expect(await person(world.max.userId)).toEqual(before);
    // The same with a role that a directory may give is no mistake in writing.
    const moderated = JSON.parse(JSON.stringify(steps).replaceAll('"owner"', '"moderator"'));
    expect((await patch(path, moderated)).status).toBe(200);
    expect(await person(world.max.userId)).toMatchObject({ role: 300 });
  });

  it.each(rolesWritten('member'))('takes the role from no owner by %s', async (_how, steps) => {
    const before = await person(world.olive.userId);
    expect((await patch(`/Users/${world.olive.userId}`, steps)).status).toBe(403);
    expect(await person(world.olive.userId)).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['a list', [{ value: 'owner' }]],
    ['an object', { value: 'owner' }],
    ['a text', 'owner'],
    ['the primary one', [{ value: 'guest' }, { value: 'owner', primary: true }]],
  ])('makes no owner of a whole account whose roles are %s', async (_how, roles) => {
    const before = (await world.olive.get('/users')).members;
    const member = { schemas: [USER], userName: world.max.email, roles };
    expect((await call('PUT', `/Users/${world.max.userId}`, member)).status).toBe(403);
    expect((await call('POST', '/Users', { ...nora, roles })).status).toBe(403);
    expect((await world.olive.get('/users')).members).toEqual(before);
    // Nor of one that the directory deleted and makes again.
    expect((await call('DELETE', `/Users/${world.mia.userId}`)).status).toBe(204);
    expect((await call('POST', '/Users', { ...nora, userName: world.mia.email, roles })).status).toBe(403);
    expect(await person(world.mia.userId)).toMatchObject({ role: 400, is_active: false });
  });

  it.each<[string, object]>([
    ['its address', { op: 'replace', path: 'userName', value: 'mine@roost.test' }],
    ['its address among its mails', { op: 'replace', value: { emails: [{ value: 'mine@roost.test' }] } }],
    ['a part of its mails', { op: 'add', path: 'emails[type eq "work"].value', value: 'mine@roost.test' }],
    ['its activity, as a text', { op: 'Replace', path: 'active', value: 'False' }],
    ['its activity, by a schema', { op: 'replace', value: { [`${USER}:active`]: false } }],
  ])('changes nothing of an owner by %s', async (_how, step) => {
    const before = await person(world.olive.userId);
    expect((await patch(`/Users/${world.olive.userId}`, [step])).status).toBe(403);
    expect(await person(world.olive.userId)).toEqual(before);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'roles.__proto__', 'toString'])(
    'knows no attribute %s (security#asvs, 15.3.6)',
    async (name) => {
      const before = await person(world.max.userId);
      const said = JSON.stringify({ roles: [{ value: 'owner' }], active: false });
      for (const step of [
        `{"op":"replace","value":{"${name}":${said}}}`,
        `{"op":"add","path":"${name}","value":${said}}`,
      ]) {
        const { status } = await call(
          'PATCH',
          `/Users/${world.max.userId}`,
          `{"schemas":["${PATCH}"],"Operations":[${step}]}`,
        );
        expect(status).toBe(400);
      }
      expect(await person(world.max.userId)).toEqual(before);
      expect(Object.keys({})).toEqual([]);
    },
  );

  it('holds a change to the version that it was meant for', async () => {
    const path = `/Users/${world.max.userId}`;
    const { etag } = (await call('GET', path)).headers as { etag: string };
    expect((await call('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304);
    const rename = (name: string) =>
      patch(path, [{ op: 'replace', path: 'displayName', value: name }], { 'if-match': etag });
    const answers = await Promise.all([rename('Max One'), rename('Max Two')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    expect((await call('DELETE', path, undefined, { 'if-match': etag })).status).toBe(412);
    expect((await call('PUT', path, { ...nora, userName: world.max.email }, { 'if-match': '*' })).status).toBe(200);
  });

  it('finds people by filters, and refuses those that cannot be read', async () => {
    const { olive, max, mia, gus } = world;
    await patch(`/Users/${gus.userId}`, [{ op: 'replace', path: 'externalId', value: 'G-1' }]);
    expect(await found('/Users', `userName eq "${max.email.toUpperCase()}"`)).toEqual([max.userId]);
    expect(await found('/Users', `id eq "${mia.userId}"`)).toEqual([mia.userId]);
    expect(await found('/Users', 'externalId eq "G-1"')).toEqual([gus.userId]);
    expect(await found('/Users', 'externalId eq "g-1"')).toEqual([]);
    expect(await found('/Users', 'userName sw "member" and active eq true')).toEqual([max.userId, mia.userId]);
    expect(await found('/Users', 'displayName co "owner" or emails[type eq "work" and value sw "guest"]')).toEqual([
      olive.userId,
      gus.userId,
    ]);
    expect(await found('/Users', 'not (displayName co "m") and roles.value ne "guest"')).toEqual([olive.userId]);
    expect(await found('/Users', `${USER}:name.familyName eq "guest" and externalId pr`)).toEqual([gus.userId]);
    for (const wrong of [
      'userName',
      'userName eq',
      'userName eq x',
      'userName is "x"',
      '(userName pr',
      'userName pr)',
      '"x" eq userName',
      'not userName pr',
      'a[b eq "c"',
      '',
      ' ',
      'userName eq "x" and',
      '('.repeat(300),
      `x pr${' or x pr'.repeat(40)}`,
      'x'.repeat(3000),
    ])
      expect([wrong, await found('/Users', wrong)]).toEqual([wrong, 'invalidFilter']);
  });

  it('gives pages and the attributes that are wanted', async () => {
    const page = async (query: string) => (await call('GET', `/Users?${query}`)).body;
    const all = await page('');
    expect(all).toMatchObject({ totalResults: 6, startIndex: 1, itemsPerPage: 6 });
    expect(await page('startIndex=3&count=2')).toMatchObject({
      totalResults: 6,
      startIndex: 3,
      itemsPerPage: 2,
      Resources: all['Resources'].slice(2, 4),
    });
    expect(await page('count=0')).toMatchObject({ totalResults: 6, Resources: [] });
    expect(await page('startIndex=-5&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    for (const beyond of [
      'startIndex=x',
      'startIndex=1234567890',
      'count=-1234567890',
      `attributes=${'userName,'.repeat(223)}`,
      `excludedAttributes=${'userName,'.repeat(223)}`,
    ])
      expect(await page(beyond), beyond).toMatchObject({ status: '400', scimType: 'invalidValue' });
    expect(await page(`filter=${encodeURIComponent(`userName eq "${'x'.repeat(2_000)}"`)}`)).toMatchObject({
      status: '400',
      scimType: 'invalidFilter',
    });
    expect(Object.keys((await page('count=1&attributes=userName,name.formatted'))['Resources'][0])).toEqual([
      'schemas',
      'id',
      'userName',
      'name',
      'meta',
    ]);
    expect((await page('count=1&excludedAttributes=emails'))['Resources'][0]).not.toHaveProperty('emails');
  });

  it('looks through a large organization in small windows, and holds a group of all to a bound', {
    timeout: 120_000,
  }, async () => {
    const { max, server, realm } = world;
    const count = 6_000;
    const store = server.context.store.in(realm);
    const numbers = Array.from({ length: count }, (_, number) => number);
    await store.write(async (tx) => {
      const someone = (await listUsers(tx)).find(({ id }) => id === max.userId);
      if (!someone) throw new Error('nobody is there');
      const { id: _, ...row } = someone;
      for (let at = 0; at < count; at += 500)
        await tx.db
          .insertInto('user')
          .values(
            numbers.slice(at, at + 500).map((number) => {
              const email = `crowd-${number}@roost.test`;
              return { ...row, email, email_key: email, full_name: `Crowd ${number}`, user_settings: '{}' };
            }),
          )
          .execute();
    });
    const turnsOf = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
      let turns = 0;
      let isOver = false;
      const count_ = () => {
        turns++;
        if (!isOver) setImmediate(count_);
      };
      setImmediate(count_);
      const answer = await work.finally(() => (isOver = true));
      return [answer, turns];
    };
    const search = (filter: string) => call('GET', `/Users?count=3&filter=${encodeURIComponent(filter)}`);
    const two = search.bind(undefined, 'displayName ew " 4999" or displayName ew " 59"');
    expect((await two()).body).toMatchObject({
      totalResults: 2,
      Resources: [{ displayName: 'Crowd 59' }, { displayName: 'Crowd 4999' }],
    });
    // It is about a twentieth, and a quarter where all are read at once.
    const share = async () => (await longestTurn(two)).share;
    expect(await least(1 / 8, share)).toBeLessThan(1 / 8);
    const page = (await call('GET', `/Users?startIndex=${count}&count=3`)).body;
    expect(page).toMatchObject({ totalResults: count + 6, itemsPerPage: 3 });
    expect(page['Resources'][0].displayName).toBe(`Crowd ${count - 7}`);
    // Two at once are looked through one after the other.
    expect(
      (await Promise.all([search('active eq true'), search('not (active eq true)')])).map(
        ({ body }) => body['totalResults'],
      ),
    ).toEqual([count + 6, 0]);

    const ids = (await store.query((tx) => listUsers(tx)))
      .filter(({ full_name }) => full_name.startsWith('Crowd'))
      .map(({ id }) => ({ value: String(id) }));
    const [made, madeTurns] = await turnsOf(
      call('POST', '/Groups', { schemas: [GROUP], displayName: 'Crowd', members: ids }),
    );
    expect([made.status, made.body['members'].length]).toEqual([201, count]);
    expect(madeTurns).toBeGreaterThanOrEqual(2 * (count / 1_000));
    const path = `/Groups/${made.body['id']}`;
    const without = (filter: string) => ({ op: 'remove', path: `members[${filter}]` });
    const none = Array.from({ length: 30 }, () => 'value eq "x"').join(' or ');
    expect(await patch(path, [without(none), without(none), without(none)])).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    });
    expect(
      (
        await patch(
          path,
          ids.slice(0, 99).map(({ value }) => without(`value eq "${value}"`)),
        )
      ).body['members'],
    ).toHaveLength(count - 99);
    expect((await patch(path, [without('value sw "1" or value sw "2"')])).status).toBe(200);
  });

  it('makes, fills, empties, renames and ends groups, with the events of any group', async () => {
    const { max, mia, gus } = world;
    const member = (id: number) => ({ value: String(id) });
    const made = await call('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'divers',
      externalId: 'g-1',
      members: [member(max.userId)],
    });
    expect(made).toMatchObject({
      status: 201,
      body: { displayName: 'divers', members: [{ value: String(max.userId), display: 'Max Member', type: 'User' }] },
    });
    const path = `/Groups/${made.body['id']}`;
    const membersOf = async () =>
      ((await call('GET', path)).body['members'] as { value: string }[]).map(({ value }) => Number(value));
    await expectSync([mia, gus], async () => {
      await patch(path, [{ op: 'add', path: 'members', value: [member(mia.userId), member(max.userId)] }]);
    });
    expect(await membersOf()).toEqual([max.userId, mia.userId]);
    const queue = await gus.register({ event_types: ['user_group'] });
    await patch(path, [{ op: 'remove', path: `members[value eq "${max.userId}"]` }]);
    expect(await queue.events()).toMatchObject([
      { op: 'remove_members', group_id: Number(made.body['id']), user_ids: [max.userId] },
    ]);
    await patch(path, [
      { op: 'Remove', path: 'members', value: [member(mia.userId)] },
      { op: 'Add', path: 'members', value: [member(gus.userId)] },
    ]);
    expect(await membersOf()).toEqual([gus.userId]);
    await patch(path, [
      { op: 'replace', path: 'members', value: [member(max.userId)] },
      { op: 'replace', value: { displayName: 'swimmers' } },
    ]);
    expect((await call('GET', path)).body).toMatchObject({ displayName: 'swimmers', externalId: 'g-1' });
    for (const value of [[member(99_999)], [{ value: 'x' }], [{}]])
      expect((await patch(path, [{ op: 'add', path: 'members', value }])).status).toBe(400);
    expect(await found('/Groups', 'displayName eq "SWIMMERS"')).toEqual([Number(made.body['id'])]);
    expect(await found('/Groups', `members.value eq "${max.userId}"`)).toEqual([Number(made.body['id'])]);
    expect((await call('GET', `${path}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    expect((await call('POST', '/Groups', { displayName: 'Swimmers' })).body['scimType']).toBe('uniqueness');
    expect((await call('PUT', path, { displayName: 'swimmers' })).body['members']).toEqual([]);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect(await call('POST', '/Groups', { displayName: 'swimmers' })).toMatchObject({
      status: 201,
      body: { id: made.body['id'] },
    });
  });

  it('leaves alone the groups of the roles, and those that administrators may not manage', async () => {
    const { user_groups } = await world.olive.get('/user_groups');
    const owners = user_groups.find(({ name }: { name: string }) => name === 'role:owners');
    expect((await call('GET', `/Groups/${owners.id}`)).status).toBe(404);
    expect(
      (
        await patch(`/Groups/${owners.id}`, [
          { op: 'add', path: 'members', value: [{ value: String(world.max.userId) }] },
        ])
      ).status,
    ).toBe(404);
    const { group_id } = await world.olive.post('/user_groups/create', { name: 'board', description: '', members: [] });
    expect(
      (
        await patch(`/Groups/${group_id}`, [
          { op: 'add', path: 'members', value: [{ value: String(world.max.userId) }] },
        ])
      ).status,
    ).toBe(403);
    expect((await call('DELETE', `/Groups/${group_id}`)).status).toBe(403);
  });
});
