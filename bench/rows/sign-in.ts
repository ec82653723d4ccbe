import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT, IdentityProvider } from '../../test/support/identity-provider.ts';
import * as certificates from '../../test/support/saml-certificates.ts';
import { SAML_ISSUER, SAML_SIGN_IN, SamlProvider } from '../../test/support/saml-provider.ts';
import { hasSlapd, PEOPLE, READER, Slapd } from '../../test/support/slapd.ts';
import { cpuSeconds } from '../support/child.ts';
import { outputOf, timeCommand } from '../support/command.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { databaseOf, prepare, startRoost } from '../support/roost.ts';
import { report, spread } from '../support/statistics.ts';

/** Log-ins by each way, people in the directory, SCIM requests, and concurrent SCIM requests. */
const TURNS = Number(process.env['BENCH_SIGN_INS'] ?? 200);
const IN_DIRECTORY = Number(process.env['BENCH_DIRECTORY'] ?? 10_000);
const SCIM = Number(process.env['BENCH_SCIM'] ?? 1000);
const AT_ONCE = 8;
const JWT_KEY = 'a-key-of-the-organization-for-tokens';
const BAR = 'bar 50 ms of our processor';

/**
 * Logging in by every way, synchronizing a directory, and SCIM: processor time of the server, which other load does not
 * change.
 */
export async function benchSignIn(): Promise<void> {
  await onDatabase('SQLite', undefined);
  if (POSTGRES_URL === undefined) return console.log('BENCH_DATABASE_URL is not set: PostgreSQL left out');
  const { url, remove } = await makePostgres(POSTGRES_URL);
  await onDatabase('PostgreSQL', url);
  await remove();
}

async function onDatabase(name: string, url: string | undefined): Promise<void> {
  const { folder, remove } = await prepare({ users: IN_DIRECTORY, channels: 1, subscribers: 1 }, url);
  const openid = await IdentityProvider.open();
  const slapd = hasSlapd() ? await Slapd.open() : undefined;
  const file = writeFile(openid, slapd);
  const environment = { ...databaseOf(url), ROOST_SIGN_IN_FILE: file };
  try {
    const adding = ['scim', 'add-token', 'Bench'];
    const token = (await outputOf(adding, { ROOST_DATA_DIR: folder, ...environment })).trim();
    const server = await startRoost(folder, environment);
    const at = `http://localhost:${server.port}`;
    const measured = (what: string, run: (turn: number) => Promise<unknown>, turns = TURNS, atOnce = 1) =>
      measure(`${name}, ${what}`, server.pid, run, turns, atOnce);
    await measured('OpenID Connect', (turn) => byOpenid(at, openid, turn));
    const saml = await samlProvider(at);
    await measured('SAML, signed both ways', (turn) => bySaml(at, saml, turn));
    await measured('signed token (JWT)', (turn) => byToken(at, turn));
    if (slapd) {
      for (let turn = 0; turn < 20; turn++) await addTo(slapd, turn);
      await measured('LDAP', (turn) => byPassword(at, `user${1 + (turn % 20)}@bench.test`, `person-${turn % 20}`));
    }
    await measured('password, for comparison', () => byPassword(at, 'owner@bench.test', 'bench-password'));
    await measured(
      'SCIM, find by userName',
      (turn) =>
        ask(at, token, 'GET', `/Users?filter=${encodeURIComponent(`userName eq "user${1 + turn}@bench.test"`)}`),
      SCIM,
      AT_ONCE,
    );
    await measured('SCIM, create', (turn) => ask(at, token, 'POST', '/Users', newPerson(turn)), SCIM, AT_ONCE);
    await measured('SCIM, rename by PATCH', (turn) => renameBy(at, token, turn), SCIM, AT_ONCE);
    await server.stop();
    if (slapd) await syncs(name, slapd, { ROOST_DATA_DIR: folder, ...environment });
  } finally {
    await slapd?.close();
    await openid.close();
    remove();
    rmSync(file);
  }
}

/** Runs work so many times with so many at once; reports the server's processor time for one. */
async function measure(
  what: string,
  pid: number,
  run: (turn: number) => Promise<unknown>,
  turns: number,
  atOnce: number,
): Promise<void> {
  await run(turns);
  const before = cpuSeconds(pid);
  const began = performance.now();
  const times: number[] = [];
  let next = 0;
  const work = async () => {
    while (next < turns) {
      const start = performance.now();
      await run(next++);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const seconds = (performance.now() - began) / 1000;
  const each = (1000 * (cpuSeconds(pid) - before)) / turns;
  const bar = atOnce === 1 ? BAR : `bar 200/s: 5 ms`;
  report(
    'sign-in',
    `${what} (${bar})`,
    `${each.toFixed(2)} ms of the server's processor; ${(turns / seconds).toFixed(0)}/s, ${spread(times)}`,
  );
}

function writeFile(openid: IdentityProvider, slapd: Slapd | undefined): string {
  const file = join(mkdtempSync(join(tmpdir(), 'roost-bench-')), 'sign-in.json');
  const saml = {
    kind: 'saml',
    id: 'saml',
    name: 'SAML',
    issuer: SAML_ISSUER,
    sign_in_url: SAML_SIGN_IN,
    certificates: [certificates.SAML_PROVIDER_CERTIFICATE],
    private_key: certificates.SAML_SERVER_KEY,
    certificate: certificates.SAML_SERVER_CERTIFICATE,
    emails_verified: true,
  };
  const acme = {
    kind: 'openid',
    id: 'acme',
    name: 'Acme',
    issuer: openid.url,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
  };
  const ldap = slapd && { url: slapd.url, bind_dn: READER.dn, bind_password: READER.password, base: PEOPLE };
  const content = {
    providers: [acme, saml],
    jwt: { '': { algorithm: 'HS256', key: JWT_KEY } },
    ...(ldap && { ldap: { '': ldap } }),
  };
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

/** The parts of a browser that logging in needs. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #at: string;

  constructor(at: string) {
    this.#at = at;
  }

  async open(path: string, form?: Readonly<Record<string, string>>): Promise<string> {
    const response = await fetch(new URL(path, this.#at), {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    await response.arrayBuffer();
    if (response.status !== 303) throw new Error(`${path}: ${response.status}`);
    return response.headers.get('location') ?? '';
  }
}

async function byOpenid(at: string, openid: IdentityProvider, turn: number): Promise<void> {
  const browser = new Browser(at);
  openid.person = { sub: `openid-${turn}`, email: `user${1 + turn}@bench.test`, email_verified: true };
  await browser.open(openid.authorize(await browser.open('/accounts/login/social/acme/')));
}

async function samlProvider(at: string): Promise<SamlProvider> {
  const metadata = await (await fetch(`${at}/complete/saml/metadata.xml`)).text();
  return new SamlProvider(metadata, () => Math.floor(Date.now() / 1000));
}

async function bySaml(at: string, saml: SamlProvider, turn: number): Promise<void> {
  const browser = new Browser(at);
  saml.person = { nameId: `saml-${turn}`, email: [`user${1 + turn}@bench.test`] };
  const SAMLResponse = await saml.answer(await browser.open('/accounts/login/social/saml/'));
  await browser.open(await new Browser(at).open('/complete/saml/', { SAMLResponse }));
}

async function byToken(at: string, turn: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { email: `user${1 + turn}@bench.test`, exp: now + 60, jti: `${turn}-${performance.now()}` };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  const token = `${signed}.${createHmac('sha256', JWT_KEY).update(signed).digest('base64url')}`;
  await post(`${at}/api/v1/jwt/fetch_api_key`, { token });
}

function byPassword(at: string, username: string, password: string): Promise<void> {
  return post(`${at}/api/v1/fetch_api_key`, { username, password });
}

async function post(url: string, form: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${text}`);
}

function addTo(slapd: Slapd, turn: number): Promise<string> {
  const mail = `user${1 + turn}@bench.test`;
  return slapd.addPerson(`person-${turn}`, { mail, cn: `User Number ${1 + turn}`, userPassword: `person-${turn}` });
}

const ids = new Map<number, string>();

async function ask(
  at: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly id?: string }> {
  const response = await fetch(`${at}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function newPerson(turn: number): object {
  const userName = `scim${turn}@bench.test`;
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    displayName: `Scim Number ${turn}`,
    active: true,
    emails: [{ value: userName, primary: true }],
  };
}

async function renameBy(at: string, token: string, turn: number): Promise<void> {
  if (ids.size === 0) {
    const found = (await ask(
      at,
      token,
      'GET',
      `/Users?filter=${encodeURIComponent('userName sw "scim"')}&count=1000`,
    )) as {
      readonly Resources?: readonly { readonly id: string }[];
    };
    for (const [index, { id }] of (found.Resources ?? []).entries()) ids.set(index, id);
  }
  const value = `Renamed ${turn} ${performance.now()}`;
  await ask(at, token, 'PATCH', `/Users/${ids.get(turn % ids.size)}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'displayName', value }],
  });
}

/** Synchronizes a directory of everybody: for the first time, without changes, and with all names changed. */
async function syncs(name: string, slapd: Slapd, environment: Readonly<Record<string, string>>): Promise<void> {
  for (let turn = 20; turn < IN_DIRECTORY - 1; turn++) await addTo(slapd, turn);
  const say = async (what: string) => {
    const { seconds, processorSeconds } = await timeCommand(['ldap', 'sync'], environment);
    report(
      'sign-in',
      `${name}, sync of ${IN_DIRECTORY} people, ${what} (bar 60 s)`,
      `${processorSeconds.toFixed(1)} s of our processor, ${seconds.toFixed(1)} s`,
    );
  };
  await say('all new to us');
  await say('nothing changed');
  for (let turn = 0; turn < IN_DIRECTORY - 1; turn++)
    await slapd.set(`uid=person-${turn},${PEOPLE}`, 'cn', `Other Number ${turn}`);
  await say('all renamed');
}
