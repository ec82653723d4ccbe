import { chmodSync, readdirSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn } from '../support/databases.ts';
import { HttpBrowser } from '../support/http-browser.ts';
import { writtenMails } from '../support/mails.ts';
import { pause } from '../support/pause.ts';
import { call, refusedCommand, runCommand } from '../support/process.ts';
import { type Production, startProduction } from '../support/production.ts';

/** Milliseconds that somebody else may wait beside an attack, on a machine that does other work too; it was 17 s. */
const WAIT_MS = 3000;
/** Milliseconds between requests of that somebody, who has a rate as well. */
const PAUSE_MS = 200;
const GUESSES = 600;
const PASSWORD = 'four nests in the south tower';
const NEXT = 'five nests in the south tower';
const RESET = '/accounts/password/reset/';

type Fields = Readonly<Record<string, unknown>>;
type Reply = Readonly<Record<string, unknown>> & { readonly result: string; readonly msg: string };

const several = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const words = (count: number) => several(count, (n) => `w${n}`).join(' ');
const counted = (statuses: readonly number[]) => {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** The attacks of strangers and of members with few rights, on the program as it is served; each from an address of its own. */
describe.each(databasesInTurn(import.meta.url))('a server in production on %s', (name) => {
  let production: Production;
  let admin: { email: string; api_key: string };
  beforeAll(async () => {
    production = await startProduction(name, { ROOST_MAX_CONNECTIONS_PER_ADDRESS: String(2 * GUESSES) });
    await runCommand(production.database, ['account', 'permit', `--email=${production.owner.email}`]);
    admin = await member('ada@roost.test', 200);
  });
  afterAll(() => production.stop());

  const owner = (method: string, path: string, fields: Fields = {}) =>
    call(production.server, production.owner, method, path, fields) as unknown as Promise<Reply>;
  const dataDir = () => production.database.dataDir;

  async function member(email: string, role: number): Promise<{ email: string; api_key: string }> {
    const { user_id } = await owner('POST', '/users', { email, password: PASSWORD, full_name: 'Some Body' });
    await owner('PATCH', `/users/${String(user_id)}`, { role });
    const login = { username: email, password: PASSWORD };
    const { api_key } = await call(production.server, { email: '', api_key: '' }, 'POST', '/fetch_api_key', login);
    expect(api_key).toBeDefined();
    return { email, api_key };
  }

  /** One request on a connection of its own from one of this machine's addresses; its status. */
  const ask = (from: string, method: string, path: string, fields?: Fields, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const type = fields && { 'content-type': 'application/x-www-form-urlencoded' };
      const options = { port: production.port, host: '127.0.0.1', localAddress: from, agent: false, method, path };
      const sent = httpRequest({ ...options, headers: { host: 'localhost', ...type, ...headers } }, (answer) => {
        textOf(answer).then(() => resolve(answer.statusCode ?? 0), reject);
      });
      sent.on('error', reject).end(fields && new URLSearchParams(fields as Record<string, string>).toString());
    });

  /** What `work` gives, when nobody else has waited longer than they may meanwhile. */
  async function unfelt<T>(work: () => Promise<T>): Promise<T> {
    let [longest, isOver] = [0, false];
    const others = async () => {
      while (!isOver) {
        const asked = performance.now();
        await owner('GET', '/users/me');
        longest = Math.max(longest, performance.now() - asked);
        await pause(PAUSE_MS);
      }
    };
    const watching = others();
    const value = await work().finally(() => (isOver = true));
    await watching;
    expect(longest).toBeLessThan(WAIT_MS);
    return value;
  }

  async function resetLink(browser: HttpBrowser, email: string): Promise<string> {
    const before = new Set(writtenMails(dataDir()));
    await browser.open(`${production.server.url}${RESET}`);
    await browser.submit({ email });
    const fresh = () => writtenMails(dataDir()).find((mail) => !before.has(mail) && mail.includes('password/reset/'));
    await expect.poll(fresh).toBeDefined();
    return `${production.server.url}/accounts/${/password\/reset\/[A-Za-z0-9]{40}/.exec(fresh() ?? '')?.[0] ?? ''}`;
  }

  async function logIn(email: string, password: string): Promise<HttpBrowser> {
    const browser = new HttpBrowser();
    await browser.open(`${production.server.url}/login/`);
    await browser.submit({ username: email, password });
    return browser;
  }

  it('tries five of 600 passwords that come at once, and lets the owner in after a new one', async () => {
    const { email } = await member('guessed@roost.test', 400);
    const guess = (password: string) =>
      ask('127.0.8.1', 'POST', '/api/v1/fetch_api_key', { username: email, password });
    expect(counted(await unfelt(() => Promise.all(several(GUESSES, (n) => guess(`guess ${n}`)))))).toEqual({
      401: 5,
      429: 595,
    });
    expect(await guess(PASSWORD)).toBe(429);
    const browser = new HttpBrowser();
    await browser.open(await resetLink(browser, email));
    await browser.submit({ password: NEXT });
    expect((await logIn(email, NEXT)).url).not.toContain('/login/');
  });

  it('tries sixty of 600 keys of links, tokens of directories and of a gateway', async () => {
    const key = 'a'.repeat(40);
    for (const [index, path] of [`${RESET}${key}`, `/join/${key}`, `/accounts/confirm_new_email/${key}`].entries()) {
      const from = `127.0.8.${10 + index}`;
      const statuses = await unfelt(() => Promise.all(several(GUESSES, () => ask(from, 'GET', path))));
      expect(counted(statuses), path).toEqual({ 404: 60, 429: 540 });
    }
    const headers = { authorization: `Bearer ${key}` };
    const directory = () => ask('127.0.8.20', 'GET', '/scim/v2/Users', undefined, headers);
    expect(counted(await unfelt(() => Promise.all(several(GUESSES, directory))))).toEqual({ 401: 60, 429: 540 });
  });

  it('a link to a new password dies with its use, a newer one, another password and the account', async () => {
    const { email } = await member('reset@roost.test', 400);
    const open = async (link: string) => {
      const browser = new HttpBrowser();
      await browser.open(link);
      return browser;
    };
    const first = await resetLink(new HttpBrowser(), email);
    const second = await resetLink(new HttpBrowser(), email);
    expect((await open(first)).status).toBe(404);
    const used = await open(second);
    const session = await logIn(email, PASSWORD);
    await used.submit({ password: NEXT });
    expect((await open(second)).status).toBe(404);
    await session.open('/');
    expect(session.url).toContain('/login/');
    const third = await resetLink(new HttpBrowser(), email);
    const { user } = (await owner('GET', `/users/${email}`)) as unknown as { user: { user_id: number } };
    await owner('DELETE', `/users/${user.user_id}`);
    expect((await open(third)).status).toBe(404);
    await owner('POST', `/users/${user.user_id}/reactivate`);
    expect((await open(third)).status).toBe(404);
  });

  it("shows an administrator no link of an owner's invitation, and lets nobody but owners end it", async () => {
    await owner('POST', '/invites/multiuse', { invite_as: 100 });
    const { invites } = (await owner('GET', '/invites')) as unknown as {
      invites: { id: number; invited_as: number }[];
    };
    const { id } = invites.find(({ invited_as }) => invited_as === 100) ?? { id: 0 };
    const seen = JSON.stringify(await call(production.server, admin, 'GET', '/invites'));
    expect([seen.includes('"invited_as":100'), seen.includes('/join/')]).toEqual([true, false]);
    expect(JSON.stringify(invites)).toContain('/join/');
    expect(await call(production.server, admin, 'DELETE', `/invites/multiuse/${id}`)).toMatchObject({
      result: 'error',
    });
    expect(await owner('DELETE', `/invites/multiuse/${id}`)).toMatchObject({ result: 'success' });
  });

  it.each([
    ['80,000 words', [{ operator: 'search', operand: words(80_000) }]],
    ['as many words as it may have', [{ operator: 'search', operand: words(100) }]],
    ['10,000 terms', several(10_000, () => ({ operator: 'is', operand: 'unread' }))],
    ['1,500 people', [{ operator: 'dm', operand: several(1500, (n) => n + 1) }]],
  ])('a search of %s keeps nobody waiting', async (_what, narrow) => {
    const fields = { anchor: 'newest', num_before: 100, num_after: 0, narrow, op: 'add', flag: 'read' };
    const { result, code } = await unfelt(() => owner('POST', '/messages/flags/narrow', fields));
    expect([result, code === 'INTERNAL_ERROR']).toEqual([
      narrow.length === 1 && words(100) === narrow[0]?.operand ? 'success' : 'error',
      false,
    ]);
    const stranger = new URLSearchParams({
      anchor: 'newest',
      num_before: '1',
      num_after: '0',
      narrow: JSON.stringify(narrow),
    });
    const status = await unfelt(() => ask('127.0.8.30', 'GET', `/api/v1/messages?${stranger.toString()}`));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('linkifiers of any pattern keep nobody waiting', async () => {
    for (const pattern of ['(a+)+b', '(?P<x>(a|b|ab)*)c', '(?:a?){500}a{500}', '#(?P<n>[0-9]+)'])
      await owner('POST', '/realm/filters', {
        pattern,
        url_template: pattern.includes('<n>') ? 'https://x.test/{n}' : 'https://x.test/',
      });
    for (const content of ['a'.repeat(10_000), '#1 '.repeat(3333)])
      expect(await unfelt(() => owner('POST', '/messages/render', { content }))).toMatchObject({ result: 'success' });
  });

  it('takes no upload from a page elsewhere, and gives no file that runs', async () => {
    const browser = await logIn(production.owner.email, 'three nests in the north tower');
    const cookie = `roost-session=${browser.cookie('roost-session') ?? ''}`;
    const headers = {
      cookie,
      'tus-resumable': '1.0.0',
      'upload-length': '4',
      'upload-metadata': `filename ${btoa('a.txt')}`,
    };
    expect(await ask('127.0.0.1', 'POST', '/api/v1/tus/', undefined, headers)).toBe(403);
    for (const file of ['x.svg', 'x.html', 'x.pdf', 'x.xml']) {
      const form = new FormData();
      form.set('filename', new Blob(['<script>alert(1)</script>']), file);
      const { authorization } = production;
      const sent = await fetch(`${production.server.url}/api/v1/user_uploads`, {
        method: 'POST',
        headers: { authorization },
        body: form,
      });
      const { url } = (await sent.json()) as { url: string };
      const given = await fetch(`${production.server.url}${url}`, { headers: { cookie } });
      expect([file, given.status, given.headers.get('content-security-policy')]).toEqual([
        file,
        200,
        expect.stringContaining('sandbox'),
      ]);
      expect(given.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('leaves nothing on the disk that others of the machine can read, and says so where they can', async () => {
    const open = (path: string) => (statSync(path).mode & 0o077) !== 0;
    const all = () => [
      dataDir(),
      ...readdirSync(dataDir(), { recursive: true }).map((path) => join(dataDir(), String(path))),
    ];
    expect(all().join('\n')).toContain('.eml');
    expect(all().filter(open)).toEqual([]);
    chmodSync(join(dataDir(), 'mails'), 0o755);
    const { code, said } = await refusedCommand(production.database, ['doctor']);
    expect([code, said]).toEqual([1, expect.stringContaining('mails')]);
  });

  it('has written no error, and none of the keys that were tried', () => {
    const lines = production.server.output().split('\n');
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(lines.filter((line) => line.includes('a'.repeat(40)))).toEqual([]);
  });
});
