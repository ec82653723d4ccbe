import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../support/authenticator.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { CLIENT, IdentityProvider, signInFile } from '../support/identity-provider.ts';
import { writtenMails } from '../support/mails.ts';
import { SecurityKey } from '../support/passkeys.ts';
import { pause } from '../support/pause.ts';
import { call, freePort, runCommand, type ServerProcess, startProcess } from '../support/process.ts';

const HOST = 'localhost:9991';
const OWNER = 'olive@roost.test';
const TIMES = 24;
const PASSWORD = 'four nests in the south tower';
const ASK = '/accounts/second-factor/';
const SETUP = '/accounts/second-factor/setup/';
const PASSKEYS = '/accounts/passkeys/';
const RESET = '/accounts/password/reset/';
const KEY = 'a secret of whoever signs tokens for Roost';
const REDIS = process.env['ROOST_TEST_REDIS_URL'];

const nobody = { email: '', api_key: '' };

interface Shown {
  readonly status: number;
  readonly text: string;
  readonly location: string;
}

/** A browser without a window that sends each request to the next of some processes, as a load balancer does. */
class Browser {
  readonly cookies: Map<string, string>;
  #token: string;
  readonly #ports: readonly number[];
  #turn: number;

  constructor(ports: readonly number[], turn = 0, cookies = new Map<string, string>(), token = '') {
    [this.#ports, this.#turn, this.cookies, this.#token] = [ports, turn, new Map(cookies), token];
  }

  /** The same browser, often: what it holds, and the processes in turn. */
  copies(): readonly Browser[] {
    return Array.from({ length: TIMES }, (_, turn) => new Browser(this.#ports, turn, this.cookies, this.#token));
  }

  get(path: string): Promise<Shown> {
    return this.#send('GET', path);
  }

  post(path: string, fields: Readonly<Record<string, string>>): Promise<Shown> {
    return this.#send('POST', path, new URLSearchParams({ csrfmiddlewaretoken: this.#token, ...fields }).toString());
  }

  async #send(method: string, path: string, body?: string): Promise<Shown> {
    const port = this.#ports[this.#turn++ % this.#ports.length];
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const form = body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await new Promise<{ status: number; text: string; cookies: readonly string[]; location: string }>(
      (resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', method, path, headers: { host: HOST, cookie, ...form } });
        sent.on('error', reject).on('response', (reply) => {
          const { statusCode: status = 0, headers } = reply;
          const { 'set-cookie': cookies = [], location = '' } = headers;
          textOf(reply).then((text) => resolve({ status, text, cookies, location }), reject);
        });
        sent.end(body);
      },
    );
    for (const line of answer.cookies) {
      const [pair = ''] = line.split(';');
      this.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    this.#token = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(answer.text)?.[1] ?? this.#token;
    return answer;
  }
}

/** On PostgreSQL, two processes with Redis; SQLite has one. */
describe.each(databasesInTurn(import.meta.url))('what works once, many times at once, in production on %s', (name) => {
  const servers: ServerProcess[] = [];
  let database: TestDatabase;
  let idp: IdentityProvider;
  let ports: readonly number[];
  let account = nobody;
  beforeAll(async () => {
    idp = await IdentityProvider.open();
    const acme = { kind: 'openid', id: 'acme', name: 'Acme', issuer: idp.url };
    const environment = {
      ROOST_EXTERNAL_URL: `http://${HOST}`,
      ROOST_RATE_LIMITS: 'off',
      ...(name === 'postgres' && REDIS !== undefined && { ROOST_REDIS_URL: REDIS }),
      ...signInFile({
        providers: [{ ...acme, client_id: CLIENT.id, client_secret: CLIENT.secret }],
        jwt: { '': { algorithm: 'HS256', key: KEY } },
      }),
    };
    database = await makeDatabase(name);
    const create = ['organization', 'create', '--name=Rookery', `--email=${OWNER}`, '--full-name=Olive Owner'];
    await runCommand(database, create, { stdin: `${PASSWORD}\n` });
    await runCommand(database, ['account', 'permit', `--email=${OWNER}`]);
    ports = [await freePort(), ...(name === 'postgres' ? [await freePort()] : [])];
    for (const port of ports) servers.push(await startProcess(database, port, environment, 'serve'));
    const { api_key } = await as(nobody, 'POST', '/fetch_api_key', { username: OWNER, password: PASSWORD });
    account = { email: OWNER, api_key: String(api_key) };
    await owner('PATCH', '/realm', { invite_required: false });
  });
  afterAll(async () => {
    for (const server of servers) await server.kill('SIGTERM');
    await database.remove();
    await idp.close();
  });

  const as = (who: typeof nobody, method: string, path: string, fields: Readonly<Record<string, unknown>> = {}) =>
    call({ url: `http://127.0.0.1:${ports[0]}` }, who, method, path, fields);
  const owner = (method: string, path: string, fields?: Readonly<Record<string, unknown>>) =>
    as(account, method, path, fields);
  let made = 0;
  /** Somebody with a password, in a browser of theirs. */
  async function person() {
    const email = `person${++made}@roost.test`;
    await owner('POST', '/users', { email, password: PASSWORD, full_name: 'Some Body' });
    return { email, browser: await logIn(email) };
  }
  async function logIn(email: string): Promise<Browser> {
    const browser = new Browser(ports);
    await browser.get('/login/');
    const { location } = await browser.post('/login/', { username: email, password: PASSWORD });
    if (location === ASK) await browser.get(ASK);
    return browser;
  }
  const counted = async (all: readonly Promise<Shown>[], wanted: number) =>
    (await Promise.all(all)).filter(({ status }) => status === wanted).length;
  const howManyAreIn = (browsers: readonly Browser[]) =>
    counted(
      browsers.map((browser) => browser.get('/accounts/sessions/')),
      200,
    );
  /** The link in a mail to somebody. */
  async function linkIn(email: string, path: string): Promise<string> {
    const link = () =>
      writtenMails(database.dataDir)
        .filter((mail) => mail.includes(email))
        .map((mail) => new RegExp(`/accounts/${path}/\\w+`).exec(mail)?.[0])
        .findLast((found) => found !== undefined);
    await expect.poll(link).toBeDefined();
    return link() ?? '';
  }

  async function withCodes() {
    const { email, browser } = await person();
    const page = await browser.get(SETUP);
    const secret = /class="address">([A-Z2-7]{32})</.exec(page.text)?.[1] ?? '';
    const setup = /name="setup" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    // The code before the present one is taken for as long as that lasts.
    const left = 30_000 - (Date.now() % 30_000);
    if (left < 10_000) await pause(left);
    const code = codeOf(secret, Date.now(), -1);
    const { text } = await browser.post(SETUP, { setup, password: PASSWORD, code });
    const [recovery = ''] = [...text.matchAll(/<code>([\w-]+)<\/code>/g)].map(([, one]) => one ?? '');
    expect(recovery).not.toBe('');
    return { email, secret, recovery };
  }

  it.each(['a code of an app', 'a recovery code'])('%s lets one in of many', async (what) => {
    const { email, secret, recovery } = await withCodes();
    const browsers = await Promise.all(Array.from({ length: TIMES }, () => logIn(email)));
    const code = what === 'a recovery code' ? recovery : codeOf(secret, Date.now());
    expect(
      await counted(
        browsers.map((browser) => browser.post(ASK, { code })),
        303,
      ),
    ).toBe(1);
  });

  it('a link to a new password sets one', async () => {
    const { email } = await person();
    const browser = new Browser(ports);
    await browser.get(RESET);
    await browser.post(RESET, { email });
    const link = await linkIn(email, 'password/reset');
    expect((await browser.get(link)).status).toBe(200);
    const all = browser.copies().map((one, n) => one.post(link, { password: `${PASSWORD} and ${n}` }));
    expect(await counted(all, 303)).toBe(1);
  });

  it.each(['confirm_new_email', 'keep_email'])('a link of a change of address works once: %s', async (path) => {
    const { email } = await person();
    const login = { username: email, password: PASSWORD };
    const { api_key } = await as(nobody, 'POST', '/fetch_api_key', login);
    const next = `next${made}@roost.test`;
    await as({ email, api_key: String(api_key) }, 'PATCH', '/settings', { email: next });
    const link = await linkIn(path === 'keep_email' ? email : next, path);
    const browser = new Browser(ports);
    expect((await browser.get(link)).status).toBe(200);
    expect(
      await counted(
        browser.copies().map((one) => one.post(link, {})),
        200,
      ),
    ).toBe(1);
  });

  it('an invitation by mail makes one account and one session', async () => {
    const email = `new${++made}@roost.test`;
    await owner('POST', '/invites', { invitee_emails: email, stream_ids: [] });
    const link = await linkIn(email, 'do_confirm');
    const browsers = Array.from({ length: TIMES }, (_, turn) => new Browser(ports, turn));
    await Promise.all(browsers.map((browser) => browser.get(link)));
    const key = link.split('/').at(-1) ?? '';
    const fields = (n: number) => ({ key, full_name: `New ${n}`, password: PASSWORD });
    expect(
      await counted(
        browsers.map((browser, n) => browser.post('/accounts/register', fields(n))),
        303,
      ),
    ).toBe(1);
    expect(await howManyAreIn(browsers)).toBe(1);
    const { members } = (await owner('GET', '/users')) as unknown as { members: { delivery_email: string }[] };
    expect(members.filter(({ delivery_email }) => delivery_email === email)).toHaveLength(1);
  });

  it('an answer with a passkey lets one in', async () => {
    const { browser } = await person();
    const kept = (text: string) => /name="confirmed" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const challenge = async (who: Browser, fields: Readonly<Record<string, string>>) =>
      JSON.parse((await who.post(`${PASSKEYS}challenge/`, fields)).text) as { asked: string; options: never };
    await browser.get(PASSKEYS);
    const confirmed = kept((await browser.post(PASSKEYS, { do: 'prove', password: PASSWORD })).text);
    const key = new SecurityKey(`http://${HOST}`);
    // One that does not count, so that the count tells nothing.
    key.count = undefined;
    const { asked: made, options } = await challenge(browser, { use: 'register', confirmed });
    await browser.post(PASSKEYS, { do: 'create', confirmed, name: 'Key', asked: made, passkey: key.make(options) });
    const visitor = new Browser(ports);
    await visitor.get('/login/');
    const { asked, options: wanted } = await challenge(visitor, { use: 'sign-in' });
    const passkey = key.use(wanted);
    const all = visitor.copies().map((one) => one.post(`${PASSKEYS}sign-in/`, { asked, passkey }));
    expect(await counted(all, 303)).toBe(1);
  });

  it('a signed token lets one in', async () => {
    const { email } = await person();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'HS256' })}.${part({ email, exp: Math.floor(Date.now() / 1000) + 60 })}`;
    const token = `${signed}.${createHmac('sha256', KEY).update(signed).digest('base64url')}`;
    const all = new Browser(ports).copies().map((one) => one.post('/api/v1/jwt/fetch_api_key', { token }));
    expect(await counted(all, 200)).toBe(1);
  });

  it('a code of a provider that works again lets one in, and makes one account', async () => {
    const email = `nora${++made}@acme.example`;
    idp.person = { sub: `u-${made}`, name: 'Nora', email, email_verified: true };
    idp.lies = { codesWorkAgain: true };
    const browser = new Browser(ports);
    const { location } = await browser.get('/accounts/login/social/acme/');
    const answer = idp.authorize(location);
    const all = browser.copies();
    await Promise.all(all.map((one) => one.get(answer)));
    expect(await howManyAreIn(all)).toBe(1);
    const { members } = (await owner('GET', '/users')) as unknown as { members: { delivery_email: string }[] };
    expect(members.filter(({ delivery_email }) => delivery_email === email)).toHaveLength(1);
  });
});
