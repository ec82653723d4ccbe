import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import { androidStatement } from '../../../../test/support/android-statement.ts';
import { codeOf } from '../../../../test/support/authenticator.ts';
import { Visitor } from '../../../../test/support/browser-client.ts';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { writtenMails } from '../../../../test/support/mails.ts';
import { type PasskeyLies, SecurityKey } from '../../../../test/support/passkeys.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { hashPassword } from '../passwords.ts';
import { setPasswordHash } from '../queries.ts';

const PAGE = '/accounts/passkeys/';
const CHALLENGE = '/accounts/passkeys/challenge/';
const SIGN_IN = '/accounts/passkeys/sign-in/';
const ASK = '/accounts/second-factor/';
const SETUP = '/accounts/second-factor/setup/';
const SESSION = 'roost-session';
const PASSWORD = 'a bird in the hand';
const PAD = 'ab'.repeat(32);

describe.each(databases)('passkeys, on %s (protocol/authentication#passkeys)', (database) => {
  let world: World;
  let hash: string;
  beforeAll(async () => {
    world = await openWorld(database, { mode: 'production' });
    world.server.context.jobs.start(world.server.context);
    hash = await hashPassword(PASSWORD);
  });
  afterAll(() => world.close());

  const told = (what: string) => writtenMails(world.dataDir).some((mail) => mail.includes(what));
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).status !== 303;
  const kept = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';
  const codesIn = (text: string) => [...text.matchAll(/<code>([\w-]+)<\/code>/g)].map(([, one]) => one ?? '');

  /** Somebody with a password. */
  async function person(role = 400): Promise<Client> {
    const client = await world.user({ role });
    await world.server.context.store
      .in(world.realm)
      .write((tx) => setPasswordHash(tx, asId<UserId>(client.userId), hash));
    return client;
  }
  async function logIn(client: Client, fields: Readonly<Record<string, string>> = {}) {
    const visitor = new Visitor(world.server);
    await visitor.get('/login/');
    const answer = await visitor.post('/login/', { username: client.email, password: PASSWORD, ...fields });
    return { visitor, answer };
  }
  async function challenge(visitor: Visitor, use: string, fields: Readonly<Record<string, string>> = {}) {
    const { status, text } = await visitor.post(CHALLENGE, { use, ...fields });
    if (status !== 200) throw new Error(`no challenge: ${status}`);
    return JSON.parse(text) as { asked: string; options: { challenge: string; allowCredentials: unknown[] } };
  }
  /** Adds a passkey; its page before, and the answer. */
  async function add(
    visitor: Visitor,
    key: SecurityKey,
    { lies, prove }: { lies?: PasskeyLies; prove?: () => Promise<Readonly<Record<string, string>>> } = {},
  ) {
    await visitor.get(PAGE);
    const proof = prove ? await prove() : { password: PASSWORD };
    const page = await visitor.post(PAGE, { do: 'prove', ...proof });
    const confirmed = kept(page.text, 'confirmed');
    if (confirmed === '') return { page, answer: page };
    const { asked, options } = await challenge(visitor, 'register', { confirmed });
    const passkey = key.make(options, lies);
    return { page, answer: await visitor.post(PAGE, { do: 'create', confirmed, name: 'Blue key', asked, passkey }) };
  }
  /** Somebody who has a passkey, in a browser of theirs. */
  async function owner(role?: number) {
    const client = await person(role);
    const { visitor } = await logIn(client);
    const key = new SecurityKey();
    const { answer } = await add(visitor, key);
    return { client, visitor, key, codes: codesIn(answer.text) };
  }
  async function signIn(key: SecurityKey, lies: PasskeyLies = {}, fields: Readonly<Record<string, string>> = {}) {
    const visitor = new Visitor(world.server);
    await visitor.get('/login/');
    const { asked, options } = await challenge(visitor, 'sign-in');
    const answer = await visitor.post(SIGN_IN, { asked, passkey: key.use(options, lies), ...fields });
    return { visitor, answer };
  }
  const confirm = (visitor: Visitor, key: SecurityKey) => async () => {
    const { asked, options } = await challenge(visitor, 'confirm');
    return { asked, passkey: key.use(options) };
  };

  it('are added by who shows the password, with a name, recovery codes, a mail and an entry in the audit log', async () => {
    const client = await person();
    const { visitor } = await logIn(client);
    const key = new SecurityKey();
    const wrong = await add(visitor, key, { prove: () => Promise.resolve({ password: 'wrong' }) });
    expect([wrong.answer.status, wrong.answer.text.includes('Your password is wrong.')]).toEqual([400, true]);
    const { answer } = await add(visitor, key);
    expect(codesIn(answer.text)).toHaveLength(10);
    const list = await visitor.get(PAGE);
    expect(list.text).toContain('<strong dir="auto">Blue key</strong><small>Not used yet');
    await expect.poll(() => told('was added to your account')).toBe(true);
    const { entries } = await world.olive.get('/realm/audit_log', { action: 'user.passkey' });
    expect(entries[0]).toMatchObject({ target: { id: client.userId }, after: { name: 'Blue key' } });
    expect(JSON.stringify(entries)).not.toContain(key.id.toString('base64url'));
  });

  it('are added whatever they say about who made them, and nobody is asked whether that is true', async () => {
    let asked = 0;
    const elsewhere = createServer((_request, response) => {
      asked++;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const { visitor } = await logIn(await person());
    const key = new SecurityKey();
    const { answer } = await add(visitor, key, { lies: { statement: androidStatement(`http://127.0.0.1:${port}/`) } });
    expect([asked, codesIn(answer.text).length]).toEqual([0, 10]);
    expect((await signIn(key)).answer.status).toBe(303);
    elsewhere.close();
  });

  it('are added beside others with one of these, and never with the password again', async () => {
    const { visitor, key } = await owner();
    const second = new SecurityKey();
    const refused = await add(visitor, second);
    expect([refused.answer.status, kept(refused.page.text, 'confirmed')]).toEqual([400, '']);
    const { answer } = await add(visitor, second, { prove: confirm(visitor, key) });
    expect(answer.location).toBe(`${PAGE}?added`);
    expect((await signIn(second)).answer.status).toBe(303);
    expect((await signIn(key)).answer.status).toBe(303);
  });

  it('are added one after the other, so that one of several made at the same time is the first', async () => {
    const { visitor } = await logIn(await person());
    const made: Readonly<Record<string, string>>[] = [];
    for (let number = 0; number < 8; number++) {
      await visitor.get(PAGE);
      const confirmed = kept((await visitor.post(PAGE, { do: 'prove', password: PASSWORD })).text, 'confirmed');
      const { asked, options } = await challenge(visitor, 'register', { confirmed });
      made.push({ do: 'create', confirmed, name: 'Key', asked, passkey: new SecurityKey().make(options) });
    }
    const answers = await Promise.all(made.map((fields) => visitor.post(PAGE, fields)));
    expect(answers.filter(({ text }) => codesIn(text).length > 0)).toHaveLength(1);
  });

  it('let their owner in without name and password, and say when they were used', async () => {
    const { client, key } = await owner();
    const { visitor, answer } = await signIn(key, {}, { next: '/api/' });
    expect(answer).toMatchObject({ status: 303, location: '/api/' });
    expect((await visitor.get('/')).text).toContain(client.email);
    expect((await visitor.get(PAGE)).text).toMatch(/<small>Last used \d+ \w+ \d+ at [\d:]+ UTC/);
    const { answer: app } = await signIn(key, {}, { mobile_flow_otp: PAD });
    const hidden = new URL(app.location ?? '').searchParams.get('otp_encrypted_api_key') ?? '';
    expect(String(Buffer.from(hidden, 'hex').map((byte) => byte ^ 0xab))).toBe(client.apiKey);
  });

  it('need not count', async () => {
    const client = await person();
    const key = new SecurityKey();
    key.count = undefined;
    await add((await logIn(client)).visitor, key);
    expect((await signIn(key)).answer.status).toBe(303);
    expect((await signIn(key)).answer.status).toBe(303);
  });

  it('are asked for after the password, which alone gives no session and no key; or a recovery code', async () => {
    const { client, key, codes } = await owner();
    const { visitor, answer } = await logIn(client);
    expect([answer.location, visitor.cookies.has(SESSION)]).toEqual([ASK, false]);
    expect((await visitor.get(ASK)).text).toContain('data-passkey="factor"');
    const credentials = { username: client.email, password: PASSWORD };
    expect(await world.spectator.request('POST', '/fetch_api_key', credentials)).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    });
    const { asked, options } = await challenge(visitor, 'factor');
    expect(options.allowCredentials).toEqual([
      { id: key.id.toString('base64url'), transports: ['usb'], type: 'public-key' },
    ]);
    // A plain security key: somebody touches it, and it knows nobody.
    const passkey = key.use(options, { flags: 1, userHandle: null });
    expect(await visitor.post(ASK, { asked, passkey })).toMatchObject({ status: 303, location: '/' });
    expect(await isIn(visitor)).toBe(true);
    const { visitor: other } = await logIn(client);
    await other.get(ASK);
    expect((await other.post(ASK, { code: codes[0] ?? '' })).status).toBe(303);
  });

  describe('let nobody in', () => {
    let mine: Awaited<ReturnType<typeof owner>>;
    let other: Awaited<ReturnType<typeof owner>>;
    beforeAll(async () => {
      mine = await owner();
      other = await owner();
    });

    const cases: [string, () => PasskeyLies][] = [
      ['with another challenge', () => ({ challenge: 'AAAA' })],
      ['from another site', () => ({ origin: 'https://roost.example' })],
      ['from another port', () => ({ origin: 'http://localhost:9992' })],
      ['made for another site', () => ({ rpId: 'roost.example' })],
      ['with what makes one', () => ({ type: 'webauthn.create' })],
      ['when nobody is there', () => ({ flags: 4 })],
      ['without a finger, face or PIN', () => ({ flags: 1 })],
      ['with a wrong signature', () => ({ signature: (bytes) => Buffer.from(bytes).fill(7, 20, 24) })],
      ['with no signature', () => ({ signature: () => Buffer.alloc(0) })],
      ['with a count that does not rise', () => ({ count: 0 })],
      ['for somebody else', () => ({ userHandle: Buffer.from('somebody else').toString('base64url') })],
      ['for nobody', () => ({ userHandle: null })],
      ['with the name of another', () => ({ id: other.key.id.toString('base64url') })],
      ['with an unknown name', () => ({ id: 'AAAAAAAA' })],
    ];
    it.each(cases)('%s', async (_what, lies) => {
      // The ground: what is right gets in, and makes the count positive.
      expect((await signIn(mine.key)).answer.status).toBe(303);
      const { visitor, answer } = await signIn(mine.key, lies());
      expect(answer.status).toBe(401);
      expect(await isIn(visitor)).toBe(false);
      const { entries } = await world.olive.get('/realm/audit_log', { action: 'session.refused', max_entries: 1 });
      expect(entries).toMatchObject([{ after: { reason: 'passkey', why: expect.any(String) } }]);
    });

    it.each(['', '{', 'null', '[]', '{"id":{}}', `{"id":"${'A'.repeat(30_000)}"}`])(
      'with what is none: %.20s',
      async (passkey) => {
        const visitor = new Visitor(world.server);
        await visitor.get('/login/');
        const { asked } = await challenge(visitor, 'sign-in');
        expect((await visitor.post(SIGN_IN, { asked, passkey })).status).toBe(401);
      },
    );

    it('twice, after five minutes, in another browser, with a changed challenge, or one for something else', async () => {
      const { key, visitor: settings } = mine;
      const visitor = new Visitor(world.server);
      await visitor.get('/login/');
      const { asked, options } = await challenge(visitor, 'sign-in');
      const passkey = key.use(options);
      const thief = new Visitor(world.server);
      await thief.get('/login/');
      expect((await thief.post(SIGN_IN, { asked, passkey })).status).toBe(401);
      expect((await visitor.post(SIGN_IN, { asked: `${asked.slice(0, -4)}AAAA`, passkey })).status).toBe(401);
      expect((await visitor.post(SIGN_IN, { passkey })).status).toBe(401);
      const done = await Promise.all([1, 2, 3].map(() => visitor.post(SIGN_IN, { asked, passkey })));
      expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401]);
      const late = new Visitor(world.server);
      await late.get('/login/');
      const slow = await challenge(late, 'sign-in');
      world.clock.advance(301_000);
      expect((await late.post(SIGN_IN, { asked: slow.asked, passkey: key.use(slow.options) })).status).toBe(401);
      await settings.get(PAGE);
      const confirming = await challenge(settings, 'confirm');
      const elsewhere = { asked: confirming.asked, passkey: key.use(confirming.options) };
      expect((await settings.post(SIGN_IN, elsewhere)).status).toBe(401);
    });

    it('twice, of one that does not count its uses, as those that several devices share', async () => {
      const { visitor: settings } = await logIn(await person());
      const key = new SecurityKey();
      key.count = undefined;
      await add(settings, key);
      const visitor = new Visitor(world.server);
      await visitor.get('/login/');
      const { asked, options } = await challenge(visitor, 'sign-in');
      const passkey = key.use(options);
      const done = await Promise.all([1, 2, 3].map(() => visitor.post(SIGN_IN, { asked, passkey })));
      expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401]);
      await visitor.get('/login/');
      expect((await visitor.post(SIGN_IN, { asked, passkey })).status).toBe(401);
    });

    it('as the second factor of somebody else, or without the first', async () => {
      const { visitor } = await logIn(mine.client);
      await visitor.get(ASK);
      const { asked, options } = await challenge(visitor, 'factor');
      expect((await visitor.post(ASK, { asked, passkey: other.key.use(options) })).status).toBe(401);
      expect(await isIn(visitor)).toBe(false);
      const stranger = new Visitor(world.server);
      await stranger.get('/login/');
      expect((await stranger.post(CHALLENGE, { use: 'factor' })).status).toBe(401);
      expect((await stranger.post(CHALLENGE, { use: 'confirm' })).status).toBe(401);
    });

    it('whose account has ended', async () => {
      const { client, key } = await owner();
      await world.olive.delete(`/users/${client.userId}`);
      const { visitor, answer } = await signIn(key);
      expect([answer.status, answer.text.includes('Account is deactivated')]).toEqual([401, true]);
      expect(await isIn(visitor)).toBe(false);
    });

    it('where the organization has no passwords, unless it wants passkeys and an owner has one', async () => {
      const set = (methods: object) => world.olive.request('PATCH', '/realm', { authentication_methods: methods });
      expect((await set({ Email: false, Passkey: true })).body['msg']).toContain('No owner could log in');
      const { key, client, visitor: hers, codes } = await owner(100);
      expect((await set({ Email: false, Passkey: false })).status).toBe(400);
      expect((await set({ Email: false, Passkey: true })).status).toBe(200);
      // The last one stays, whoever would end it, and whatever with.
      const lost = await world.olive.request('DELETE', `/users/${client.userId}/second_factor`);
      expect([lost.status, lost.body['msg']]).toEqual([400, expect.stringContaining('No owner could log in')]);
      const id = kept((await hers.get(PAGE)).text, 'id');
      const ended = await hers.post(PAGE, { do: 'end', id, code: codes[0] ?? '' });
      expect([ended.status, ended.text.includes('No owner could log in')]).toEqual([400, true]);
      expect((await signIn(key)).answer.status).toBe(303);
      const page = await new Visitor(world.server).get('/login/');
      expect([page.text.includes('data-passkey="sign-in"'), page.text.includes('type="password"')]).toEqual([
        true,
        false,
      ]);
      expect((await set({ Email: true, Passkey: false })).status).toBe(200);
      await expect(signIn(key)).rejects.toThrow('no challenge: 404');
      const { visitor } = await logIn(mine.client);
      expect((await visitor.post(SIGN_IN, {})).status).toBe(404);
      expect((await set({ Email: true })).status).toBe(200);
      expect((await signIn(key)).answer.status).toBe(303);
    });
  });

  describe('are not added', () => {
    const cases: [string, PasskeyLies][] = [
      ['for another challenge', { challenge: 'AAAA' }],
      ['from another site', { origin: 'https://roost.example' }],
      ['for another site', { rpId: 'roost.example' }],
      ['with what uses one', { type: 'webauthn.get' }],
      ['when nobody is there', { flags: 0x44 }],
      ['without a key', { flags: 5 }],
      ['under another name', { id: 'AAAAAAAA' }],
    ];
    it.each(cases)('%s', async (_what, lies) => {
      const { visitor } = await logIn(await person());
      const { answer } = await add(visitor, new SecurityKey(), { lies });
      expect([answer.status, codesIn(answer.text)]).toEqual([400, []]);
      expect((await visitor.get(PAGE)).text).not.toContain('Blue key');
    });

    it('without the proof, with that of another, twice, or when an account has it', async () => {
      const { visitor } = await logIn(await person());
      const { visitor: thief } = await logIn(await person());
      await Promise.all([visitor.get(PAGE), thief.get(PAGE)]);
      expect((await visitor.post(CHALLENGE, { use: 'register' })).status).toBe(403);
      const page = await visitor.post(PAGE, { do: 'prove', password: PASSWORD });
      const confirmed = kept(page.text, 'confirmed');
      expect((await thief.post(CHALLENGE, { use: 'register', confirmed })).status).toBe(403);
      const { asked, options } = await challenge(visitor, 'register', { confirmed });
      const key = new SecurityKey();
      const sent = { do: 'create', asked, passkey: key.make(options) };
      expect((await visitor.post(PAGE, sent)).location).toBe(PAGE);
      expect((await thief.post(PAGE, { ...sent, confirmed })).location).toBe(PAGE);
      expect(codesIn((await visitor.post(PAGE, { ...sent, confirmed })).text)).toHaveLength(10);
      const again = await visitor.post(PAGE, { ...sent, confirmed });
      expect([again.status, again.text.includes('This took too long')]).toEqual([400, true]);
      const { answer } = await add(thief, key);
      expect(answer.text).toContain('This passkey has been added already.');
      world.clock.advance(601_000);
      expect((await visitor.post(CHALLENGE, { use: 'register', confirmed })).status).toBe(403);
    });

    it('by an API key, or by who has shown only the password of an account that has one', async () => {
      const { client } = await owner();
      const { statusCode, headers } = await client.fetch(PAGE);
      expect([statusCode, headers['location']]).toEqual([303, `/login/?next=${encodeURIComponent(PAGE)}`]);
      const { visitor } = await logIn(client);
      await visitor.get(ASK);
      expect((await visitor.get(PAGE)).location).toBe('/login/');
      expect((await visitor.post(PAGE, { do: 'prove', password: PASSWORD })).location).toBe('/login/');
      expect((await visitor.post(CHALLENGE, { use: 'confirm' })).status).toBe(401);
    });
  });

  it('are removed with one of them or a recovery code, and take the codes along when none is left', async () => {
    const { client, visitor, key, codes } = await owner();
    const page = await visitor.get(PAGE);
    const id = kept(page.text, 'id');
    expect((await visitor.post(PAGE, { do: 'end', id })).text).toContain('Remove “Blue key”?');
    expect((await visitor.post(PAGE, { do: 'end', id, code: 'wrong' })).status).toBe(400);
    expect((await visitor.post(PAGE, { do: 'end', id, password: PASSWORD })).text).toContain('First confirm');
    const { visitor: foreign, key: theirs } = await owner();
    const proof = await confirm(foreign, theirs)();
    expect((await foreign.post(PAGE, { do: 'end', id, ...proof })).location).toBe(PAGE);
    expect((await signIn(key)).answer.status).toBe(303);
    expect((await visitor.post(PAGE, { do: 'end', id, code: codes[1] ?? '' })).location).toBe(`${PAGE}?removed`);
    expect((await signIn(key)).answer.status).toBe(401);
    expect((await logIn(client)).answer.location).toBe('/');
    await expect.poll(() => told('was removed from your account')).toBe(true);
  });

  it('stand beside codes of an app: each is added with the other, and codes stay for what is left', async () => {
    const { client, visitor, key } = await owner();
    const asked = await visitor.get(SETUP);
    expect([asked.text.includes('class="address"'), asked.text.includes('data-passkey="confirm"')]).toEqual([
      false,
      true,
    ]);
    expect((await visitor.post(SETUP, { do: 'prove', password: PASSWORD })).text).not.toContain('class="address"');
    const page = await visitor.post(SETUP, { do: 'prove', ...(await confirm(visitor, key)()) });
    const secret = /class="address">([A-Z2-7]{32})</.exec(page.text)?.[1] ?? '';
    const [setup, confirmed] = [kept(page.text, 'setup'), kept(page.text, 'confirmed')];
    const code = codeOf(secret, world.clock.nowMs(), 0);
    expect((await visitor.post(SETUP, { setup, code, password: PASSWORD })).text).not.toContain('<code>');
    const codes = codesIn((await visitor.post(SETUP, { setup, confirmed, code })).text);
    expect(codes).toHaveLength(10);
    const id = kept((await visitor.get(PAGE)).text, 'id');
    await visitor.post(PAGE, { do: 'end', id, ...(await confirm(visitor, key)()) });
    const { visitor: next, answer } = await logIn(client);
    expect(answer.location).toBe(ASK);
    expect((await next.get(ASK)).text).not.toContain('data-passkey');
    expect((await next.post(ASK, { code: codes[0] ?? '' })).status).toBe(303);
  });

  it('count as the second factor that is demanded: made while logging in, and the last one stays', async () => {
    await world.olive.patch('/realm', { second_factor_required_role: 300, second_factor_grace_days: 0 });
    const client = await person(300);
    const { visitor, answer } = await logIn(client, { next: '/api/' });
    expect([answer.location, await isIn(visitor)]).toEqual([SETUP, false]);
    const page = await visitor.get(PAGE);
    const confirmed = kept(page.text, 'confirmed');
    const { asked, options } = await challenge(visitor, 'register', { confirmed });
    const key = new SecurityKey();
    const made = await visitor.post(PAGE, { do: 'create', confirmed, asked, passkey: key.make(options) });
    expect([codesIn(made.text).length, made.text.includes('href="/api/"')]).toEqual([10, true]);
    expect(await isIn(visitor)).toBe(true);
    expect((await logIn(client)).answer.location).toBe(ASK);
    const id = kept((await visitor.get(PAGE)).text, 'id');
    const kept_ = await visitor.post(PAGE, { do: 'end', id, ...(await confirm(visitor, key)()) });
    expect([kept_.status, kept_.text.includes('asks people of your role')]).toEqual([400, true]);
    await world.olive.patch('/realm', { second_factor_required_role: 0 });
  });

  it('show again who somebody is, before dangerous acts (protocol/authentication#confirmation)', async () => {
    const { visitor, key } = await owner();
    const { key: theirs } = await owner();
    world.clock.advance(901_000);
    const personalData = async () => (await visitor.get('/personal_data')).location;
    expect(await personalData()).toContain('/accounts/confirm/');
    expect((await visitor.get('/accounts/confirm/')).text).toContain('data-passkey="confirm"');
    const { asked, options } = await challenge(visitor, 'confirm');
    const foreign = { asked, passkey: theirs.use(options) };
    expect((await visitor.post('/accounts/confirm/', foreign)).status).toBe(403);
    expect(await personalData()).toContain('/accounts/confirm/');
    const proof = await confirm(visitor, key)();
    expect((await visitor.post('/accounts/confirm/', { ...proof, next: '/api/' })).location).toBe('/api/');
    expect(await personalData()).toBeUndefined();
  });

  it('go with the second factor that an administrator turns off for who lost it', async () => {
    const { client, key, codes } = await owner();
    await world.adam.delete(`/users/${client.userId}/second_factor`);
    expect((await signIn(key)).answer.status).toBe(401);
    expect((await logIn(client)).answer.location).toBe('/');
    expect(codes).toHaveLength(10);
    expect((await world.adam.refused('DELETE', `/users/${client.userId}/second_factor`)).msg).toBe(
      'This user has no second factor.',
    );
  });
});
