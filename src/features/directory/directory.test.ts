import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import { findUser } from '#features/users';
import { DIRECTORY_CERTIFICATE } from '../../../test/support/certificate.ts';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { signInFile } from '../../../test/support/identity-provider.ts';
import { GROUPS, hasSlapd, PEOPLE, READER, Slapd } from '../../../test/support/slapd.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const PASSWORD = 'roost-demo-password';

describe.runIf(hasSlapd()).each(databases)('logging in by a directory, on %s', (database) => {
  let slapd: Slapd;
  let world: World;
  beforeAll(async () => {
    slapd = await Slapd.open();
    await slapd.addPerson('member', { cn: 'Max Member' });
    await slapd.addPerson('owner', { cn: 'Olive Owner' });
    await slapd.addPerson('guest', { cn: 'Gus Guest' });
    await slapd.addPerson('nora', { cn: 'Nora Newcomer', mail: ['nora@roost.test', 'n.newcomer@roost.test'] });
    await slapd.addPerson('twin', { mail: 'twins@roost.test' });
    await slapd.addPerson('twin2', { mail: 'twins@roost.test' });
    await slapd.add(`cn=admins,${GROUPS}`, { objectClass: 'groupOfNames', member: `uid=guest,${PEOPLE}` });
  });
  afterAll(() => slapd.close());

  const open = async (settings: Record<string, unknown> = {}, options: Parameters<typeof openWorld>[1] = {}) => {
    const ldap = { url: slapd.url, bind_dn: READER.dn, bind_password: READER.password, base: PEOPLE, ...settings };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({ ldap: { '': JSON.parse(JSON.stringify(ldap)) } }),
      ...options,
    });
  };
  afterEach(async () => {
    slapd.thaw();
    await world.close();
  });
  const fetchKey = (username: string, password: string) =>
    world.spectator.post('/fetch_api_key', { username, password });
  const refusal = async (username: string, password: string) =>
    (await world.spectator.request('POST', '/fetch_api_key', { username, password })).body;
  /** The answer to a request, for which time goes by. */
  const untilAnswered = async (asked: Promise<unknown>) => {
    let answer: unknown;
    void asked.then((one) => (answer = one));
    for (let turn = 0; answer === undefined && turn < 1000; turn++) {
      world.clock.advance(100);
      await pause(5);
    }
    return answer;
  };
  const only = (on: string) =>
    world.olive.patch('/realm', { authentication_methods: { Email: on === 'Email', LDAP: on === 'LDAP' } });

  it.each([
    ['search and bind', {}],
    ['StartTLS', { url: undefined, start_tls: true, authority: DIRECTORY_CERTIFICATE }],
    ['LDAPS', { url: undefined, authority: DIRECTORY_CERTIFICATE }],
    ['direct bind', { bind_dn: undefined, bind_password: undefined, direct: { attribute: 'uid' } }],
  ])('gives the key of a person in the directory, by %s', async (what, settings) => {
    const urls: Record<string, string> = {
      StartTLS: slapd.url.replace('127.0.0.1', 'localhost'),
      LDAPS: slapd.secureUrl,
    };
    await open({ ...settings, url: urls[what] ?? slapd.url });
    const name = what === 'direct bind' ? 'member' : 'MEMBER@roost.test';
    expect(await fetchKey(name, 'member-password')).toMatchObject({
      api_key: world.max.apiKey,
      user_id: world.max.userId,
    });
    expect(await refusal(name, 'wrong-password')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(await refusal(name, '')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('believes no certificate of somebody else', async () => {
    await open({ url: slapd.secureUrl });
    expect(await refusal('member@roost.test', 'member-password')).toMatchObject({
      code: 'DIRECTORY_UNAVAILABLE',
    });
  });

  it.each([
    ['a filter that is true for all', '*'],
    ['a filter that ends early', 'member@roost.test)(objectClass=*'],
    ['a filter of its own', '*)(uid=member'],
    ['nothing', ' '],
    ['a name of two people', 'twins@roost.test'],
    ['a null byte', 'member@roost.test\0'],
    ['another branch', `member,${PEOPLE}`],
  ])('lets nobody in by %s', async (_what, login) => {
    await open({ login: ['mail', 'uid'] });
    for (const password of ['member-password', 'twin-password', '*', ''])
      expect(await refusal(login, password)).toMatchObject({ result: 'error' });
    expect(await fetchKey('member', 'member-password')).toMatchObject({ user_id: world.max.userId });
  });

  it.each<[string, Record<string, unknown>]>([
    ['search and bind', {}],
    ['direct bind', { bind_dn: undefined, bind_password: undefined, direct: { attribute: 'uid' } }],
  ])('lets nobody in without a password, by %s (RFC 4513, 5.1.2)', async (_way, settings) => {
    await open({ login: ['uid'], ...settings });
    expect(await refusal('member', '')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(await fetchKey('member', 'member-password')).toMatchObject({ user_id: world.max.userId });
  });

  it('lets nobody in by a name that would be another entry, when people log in directly', async () => {
    await open({ bind_dn: undefined, bind_password: undefined, direct: { attribute: 'uid' } });
    for (const login of [`member,${PEOPLE}`, 'x+uid=member', '\\6dember', '#member', '"member"', 'member,'])
      expect(await refusal(login, 'member-password')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('makes accounts by the rules of the organization, with the name of the directory, once for two at a time', async () => {
    await open();
    expect(await refusal('nora@roost.test', 'nora-password')).toMatchObject({
      msg: 'You need an invitation to join this organization.',
    });
    await world.olive.patch('/realm', { invite_required: false });
    const [first, second] = await Promise.all([1, 2].map(() => fetchKey('nora@roost.test', 'nora-password')));
    expect(first?.user_id).toBe(second?.user_id);
    const { user } = await world.olive.get(`/users/${first?.user_id}`);
    expect(user).toMatchObject({ full_name: 'Nora Newcomer', delivery_email: 'nora@roost.test', role: 400 });
    // Another address of theirs is the same person.
    expect((await fetchKey('n.newcomer@roost.test', 'nora-password')).user_id).toBe(first?.user_id);
  });

  it('knows people by what the directory calls them, whatever becomes of their address', async () => {
    await open();
    await fetchKey('guest@roost.test', 'guest-password');
    await slapd.set(`uid=guest,${PEOPLE}`, 'mail', 'gustav@roost.test');
    expect((await fetchKey('gustav@roost.test', 'guest-password')).user_id).toBe(world.gus.userId);
    await slapd.set(`uid=guest,${PEOPLE}`, 'mail', 'guest@roost.test');
  });

  it('gives the role that groups say, and never touches owners', async () => {
    await open({ roles: { administrator: [`CN=Admins, ${GROUPS}`] } });
    await fetchKey('guest@roost.test', 'guest-password');
    expect((await world.olive.get(`/users/${world.gus.userId}`)).user.role).toBe(200);
    await slapd.set(`cn=admins,${GROUPS}`, 'member', [`uid=owner,${PEOPLE}`, `uid=guest,${PEOPLE}`]);
    await fetchKey('owner@roost.test', 'owner-password');
    expect((await world.olive.get(`/users/${world.olive.userId}`)).user.role).toBe(100);
  });

  it('lets nobody in whose account has ended, and nobody who is no person to the operator', async () => {
    await open({ people: '(&(objectClass=person)(!(uid=nora)))' });
    await world.olive.delete(`/users/${world.max.userId}`);
    expect(await refusal('member@roost.test', 'member-password')).toMatchObject({ code: 'USER_DEACTIVATED' });
    expect(await refusal('nora@roost.test', 'nora-password')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('lets people in by the form of the log-in page, and asks for their names there', async () => {
    await open({ login: ['uid'] });
    const visitor = new Visitor(world.server);
    expect((await visitor.get('/login/')).text).toContain('Name or email address');
    expect(await visitor.post('/login/', { username: 'member', password: 'wrong' })).toMatchObject({ status: 401 });
    expect(await visitor.post('/login/', { username: 'member', password: 'member-password' })).toMatchObject({
      status: 303,
    });
    expect((await visitor.get('/')).text).toContain(world.max.email);
  });

  it('counts guesses before the directory is asked, and gives those back that were right', async () => {
    await open({}, { rateLimits: 'on' });
    for (let turn = 0; turn < 4; turn++) await fetchKey('member@roost.test', 'member-password');
    for (let turn = 0; turn < 5; turn++)
      expect(await refusal('guest@roost.test', 'wrong')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(await refusal('guest@roost.test', 'guest-password')).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    const together = await Promise.all(Array.from({ length: 12 }, () => refusal('nobody@roost.test', 'wrong')));
    const asked = together.filter(({ code }) => code === 'AUTHENTICATION_FAILED');
    expect(asked).toHaveLength(5);
  });

  it('counts guesses for all ways to write a name together: letter case, width, spaces, accents, what is not seen', async () => {
    await open({ login: ['uid'] }, { rateLimits: 'on' });
    const ways = ['member', ' MEMBER ', 'ｍｅｍｂｅｒ', 'mem\u00adber', 'mem\u200bber'];
    for (const way of ways) expect(await refusal(way, 'wrong')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    for (const way of [...ways, 'mémber', 'member\n', 'mem\u3164ber'])
      expect(await refusal(way, 'member-password')).toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  it('keeps nobody waiting when the directory hangs: an end after eight seconds, then none is asked', async () => {
    await open();
    expect(await fetchKey('member@roost.test', 'member-password')).toMatchObject({ user_id: world.max.userId });
    await slapd.freeze();
    const asked = refusal('member@roost.test', 'member-password');
    // Others go on meanwhile.
    expect(await world.mia.get('/users/me')).toMatchObject({ user_id: world.mia.userId });
    expect(await untilAnswered(asked)).toMatchObject({ code: 'DIRECTORY_UNAVAILABLE' });
    expect(await refusal('member@roost.test', 'member-password')).toMatchObject({
      code: 'DIRECTORY_UNAVAILABLE',
    });
    // The server's own passwords go on working where they are on.
    expect(await fetchKey('owner@roost.test', PASSWORD)).toMatchObject({ user_id: world.olive.userId });
    slapd.thaw();
    world.clock.advance(5_001);
    expect(await fetchKey('member@roost.test', 'member-password')).toMatchObject({ user_id: world.max.userId });
  });

  it('follows no referral, and takes neither a gigabyte nor noise for an answer', async () => {
    const lies: Buffer[] = [];
    let visits = 0;
    const elsewhere = createServer((socket) => {
      visits++;
      socket.on('error', () => undefined);
      socket.on('data', () => {
        for (const lie of lies) socket.write(lie);
      });
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const url = `ldap://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    await slapd.add(`uid=away,${PEOPLE}`, {
      objectClass: ['referral', 'extensibleObject'],
      ref: `${url}/uid=member,${PEOPLE}`,
    });
    await open({ login: ['mail', 'uid'] });
    expect(await refusal('away', 'member-password')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(await fetchKey('member', 'member-password')).toMatchObject({ user_id: world.max.userId });
    expect(visits).toBe(0);
    await world.close();
    await open({ url });
    // An answer of a gigabyte is announced, and some of it comes.
    lies.push(Buffer.from([0x30, 0x84, 0x40, 0x00, 0x00, 0x00]), Buffer.alloc(2_000_000, 0x41));
    expect(await refusal('member@roost.test', 'member-password')).toMatchObject({ code: 'DIRECTORY_UNAVAILABLE' });
    expect(visits).toBe(1);
    await world.close();
    await open({ url });
    lies.splice(0, 2, Buffer.from('HTTP/1.1 200 OK\r\n\r\n'));
    const asked = refusal('member@roost.test', 'member-password');
    expect(await untilAnswered(asked)).toMatchObject({ code: 'DIRECTORY_UNAVAILABLE' });
    elsewhere.close();
  });

  it('believes no length of an answer, and nothing that came before the connection was encrypted', async () => {
    const noises = {
      'an entry longer than its message': ['300c02010261070a010004000400', '300b020103 6406 04847fffffff'],
      'a result that goes on for ever': ['300c020102 6107 0a010004000404'],
      'nine thousand at once': ['300c02010261070a010004000400', '300502010373 00'.repeat(9_000)],
    };
    for (const [what, answers] of Object.entries(noises)) {
      const directory = createServer((socket) => {
        const left = answers.map((answer) => Buffer.from(answer.replaceAll(' ', ''), 'hex'));
        socket
          .on('error', () => undefined)
          .on('data', () => void (left.length > 0 && socket.write(left.shift() ?? '')));
      }).listen(0, '127.0.0.1');
      await once(directory, 'listening');
      await open({ url: `ldap://127.0.0.1:${(directory.address() as AddressInfo).port}` });
      expect(await refusal('member@roost.test', 'member-password'), what).toMatchObject({
        code: 'DIRECTORY_UNAVAILABLE',
      });
      await world.close();
      directory.close();
    }
    // Somebody between adds the beginning of an answer to the bind, which holds the whole true answer as its text.
    const forged = Buffer.from('301a0201036115 0a01000400040e'.replace(' ', ''), 'hex');
    const between = createServer((socket) => {
      const there = connect(Number(new URL(slapd.url).port), '127.0.0.1');
      for (const one of [socket, there]) one.on('error', () => undefined);
      socket.pipe(there);
      let isFirst = true;
      there.on('data', (chunk) => {
        socket.write(isFirst ? Buffer.concat([chunk, forged]) : chunk);
        isFirst = false;
      });
      there.on('close', () => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const url = `ldap://localhost:${(between.address() as AddressInfo).port}`;
    const authority = DIRECTORY_CERTIFICATE;
    await open({
      url,
      start_tls: true,
      authority,
      bind_dn: undefined,
      bind_password: undefined,
      direct: { attribute: 'uid' },
    });
    expect(await refusal('member', 'wrong-password')).toMatchObject({ code: 'DIRECTORY_UNAVAILABLE' });
    between.close();
  });

  it('is told to clients, can be turned off, and is the last way in only for an owner of the directory', async () => {
    await open();
    expect((await world.spectator.get('/server_settings')).authentication_methods).toMatchObject({
      ldap: true,
      password: true,
    });
    const { realm_authentication_methods } = (await world.max.post('/register')) ?? {};
    expect(realm_authentication_methods).toMatchObject({ LDAP: { enabled: true, available: true } });
    await expect(only('LDAP')).rejects.toThrow('No owner could log in any more.');
    await fetchKey('owner@roost.test', 'owner-password');
    await only('LDAP');
    expect(await world.spectator.get('/server_settings')).toMatchObject({
      authentication_methods: { ldap: true, password: true, email: false },
      email_auth_enabled: false,
      external_authentication_methods: [expect.objectContaining({ name: 'browser' })],
    });
    expect(await refusal('owner@roost.test', PASSWORD)).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    await only('Email');
    expect((await world.spectator.get('/server_settings')).authentication_methods).toMatchObject({ ldap: false });
    expect(await refusal('member@roost.test', 'member-password')).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
    expect(
      (await world.server.context.store.in(world.realm).read((tx) => findUser(tx, asId<UserId>(world.max.userId))))
        ?.is_active,
    ).toBe(true);
  });
});
