import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { call, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { type Production, startProduction } from '../support/production.ts';
import { openRaw, type RawConnection } from '../support/raw-connection.ts';

const MIB = 2 ** 20;
const PER_ADDRESS = 80;
const PROXY = '127.0.9.1';
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const SECRET = 'secret-of-the-query';

const several = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
const closeAll = async (connections: readonly RawConnection[]) => {
  for (const { socket } of connections) socket.destroy();
  await Promise.all(connections.map(({ closed }) => closed));
};

describe.each(databasesInTurn(import.meta.url))('a server behind a proxy, without rates, on %s', (name) => {
  let production: Production;
  beforeAll(async () => {
    production = await startProduction(name, {
      ROOST_MAX_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
      ROOST_TRUSTED_PROXIES: PROXY,
      // The other bounds have to hold alone.
      ROOST_RATE_LIMITS: 'off',
      ROOST_MAX_INVITATIONS_PER_DAY: '0',
      ROOST_LOG_LEVEL: 'debug',
    });
  });
  afterAll(() => production.stop());

  const from = (address: string) => openRaw(production.port, address);
  const owner = <T>(method: string, path: string, fields: Record<string, unknown> = {}) =>
    call(production.server, production.owner, method, path, fields) as Promise<T & { result: string; msg: string }>;
  const refusals = (reason: string) => production.metric(`roost_refusals_total{reason="${reason}"}`);
  const ask = async (address: string, target: string, headers: string, method = 'GET') => {
    const connection = from(address);
    connection.write(`${method} ${target} HTTP/1.1\n${headers}\nConnection: close\n\n`);
    return connection.closed;
  };

  it('holds a bounded part of large answers that nobody reads', { timeout: 120_000 }, async () => {
    const text = '€'.repeat(9_900);
    for (let batch = 0; batch < 20; batch++)
      await Promise.all(
        several(15, () => owner('POST', '/messages', { type: 'direct', to: [production.owner.email], content: text })),
      );
    const target = '/api/v1/messages?anchor=newest&num_before=300&num_after=0';
    const whole = await ask('127.0.4.1', target, `Host: localhost\nAuthorization: ${production.authorization}`);
    expect(whole.length).toBeGreaterThan(8 * MIB);
    const memory = () => production.metric('process_resident_memory_bytes');
    const before = await memory();
    const unread = several(40, () => from('127.0.4.1'));
    for (const { socket } of unread) {
      socket.pause();
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${production.authorization}\r\n\r\n`.repeat(3),
      );
    }
    let held = 0;
    let most = 0;
    // Until all of it is there, however busy the machine is, and for five seconds more.
    const isFull = async () => held > 16 * MIB && (await refusals('memory')) > 0;
    for (let looks = 0, after = 0; looks < 240 && after < 20; looks++) {
      await pause(250);
      held = Math.max(held, await production.metric('roost_held_answer_bytes'));
      most = Math.max(most, await memory());
      if (await isFull()) after++;
    }
    expect(held).toBeGreaterThan(16 * MIB);
    expect(held).toBeLessThanOrEqual(48 * MIB);
    // All of them at once would take more than 250.
    expect(most - before).toBeLessThan(150 * MIB);
    expect(await refusals('memory')).toBeGreaterThan(0);
    expect((await owner('GET', '/users/me')).result).toBe('success');
    await closeAll(unread);
    const left = () => production.metric('roost_held_answer_bytes');
    for (let looks = 0; looks < 40 && (await left()) > 0; looks++) await pause(250);
    expect(await left()).toBe(0);
  });

  it('reads no body of requests whose answers wait behind another one, until it is their turn', async () => {
    const { queue_id } = await owner<{ queue_id: string }>('POST', '/register');
    const connection = from('127.0.4.2');
    const head = `Host: localhost\r\nAuthorization: ${production.authorization}\r\n`;
    const body = `content=${'x'.repeat(9_000)}`;
    const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    connection.socket.write(
      `GET /api/v1/events?queue_id=${queue_id}&last_event_id=-1 HTTP/1.1\r\n${head}\r\n` +
        `POST /api/v1/messages/render HTTP/1.1\r\n${head}${form}`.repeat(3),
    );
    await expect.poll(() => production.metric('roost_parked_polls')).toBe(1);
    await pause(200);
    expect(await production.metric('roost_held_body_bytes')).toBe(0);
    // Its end answers the poll.
    await owner('DELETE', '/events', { queue_id });
    await expect.poll(() => connection.text().match(/"rendered"/g)?.length).toBe(3);
    expect(await production.metric('roost_held_body_bytes')).toBe(0);
    connection.socket.destroy();
    await connection.closed;
  });

  it('forgets requests that waited on connections which broke', async () => {
    const { queue_id } = await owner<{ queue_id: string }>('POST', '/register');
    const head = 'Host: localhost\nX-Forwarded-For: 127.0.9.9';
    const poll = `GET /api/v1/events?queue_id=${queue_id}&last_event_id=-1 HTTP/1.1\n${head}\nAuthorization: ${production.authorization}\n\n`;
    for (let round = 0; round < PER_ADDRESS / 4; round++) {
      const connection = from(PROXY);
      connection.write(poll + `GET /health HTTP/1.1\n${head}\n\n`.repeat(5));
      await expect.poll(() => production.metric('roost_parked_polls'), { interval: 5 }).toBe(1);
      connection.socket.destroy();
      await expect.poll(() => production.metric('roost_parked_polls'), { interval: 5 }).toBe(0);
    }
    expect(statusOf(await ask(PROXY, '/health', head))).toBe(200);
  });

  it('lets nobody wait for events who is not known, however many come', async () => {
    const { queue_id } = await owner<{ queue_id: string }>('POST', '/register');
    const opened = await fetch(`${production.server.url}/api/v1/register`, { method: 'POST' });
    expect((await opened.json()) as object).not.toMatchObject({ queue_id: expect.any(String) as string });
    const answers = await Promise.all(
      several(25, (host) =>
        several(PER_ADDRESS, () =>
          ask(`127.0.5.${host + 1}`, `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, 'Host: localhost'),
        ),
      ).flat(),
    );
    expect(answers).toHaveLength(2000);
    expect(new Set(answers.map(statusOf))).toEqual(new Set([401]));
    expect(await production.metric('roost_parked_polls')).toBe(0);
  });

  it('bounds the requests under way of each address behind the proxy, and not those of the proxy', async () => {
    const begin = (by: string, address: string) => {
      const connection = from(by);
      const head = `POST /api/v1/fetch_api_key HTTP/1.1\nHost: localhost\nX-Forwarded-For: ${address}\n${FORM}`;
      connection.write(`${head}\nContent-Length: 100\n\na`);
      return connection;
    };
    const settings = (by: string, address: string) =>
      ask(by, '/api/v1/server_settings', `Host: localhost\nX-Forwarded-For: ${address}`);
    const one = several(PER_ADDRESS, () => begin(PROXY, '203.0.113.1'));
    const other = several(PER_ADDRESS - 1, () => begin(PROXY, '203.0.113.2'));
    await pause(700);
    expect([...one, ...other].filter(({ text }) => text() !== '')).toEqual([]);
    const refused = await settings(PROXY, '203.0.113.1');
    expect(statusOf(refused)).toBe(503);
    expect(refused).toMatch(/retry-after: 5\r/i);
    expect(await refusals('connections_of_address')).toBeGreaterThan(0);
    expect(statusOf(await settings(PROXY, '203.0.113.2'))).toBe(200);
    expect(statusOf(await settings(PROXY, '203.0.113.1, 203.0.113.3'))).toBe(200);
    // Who is no proxy speaks for nobody else, and uses up nobody's room.
    expect(statusOf(await settings('127.0.9.2', '203.0.113.1'))).toBe(200);
    await closeAll([...one, ...other]);
    await pause(200);
    expect(statusOf(await settings(PROXY, '203.0.113.1'))).toBe(200);
  });

  it('keeps nothing of requests that wait behind a poll when their connection breaks', async () => {
    const address = '203.0.113.7';
    const head = (target: string) =>
      `GET ${target} HTTP/1.1\nHost: localhost\nX-Forwarded-For: ${address}\nAuthorization: ${production.authorization}\n\n`;
    const waiting = async () => {
      const { queue_id } = await owner<{ queue_id: string }>('POST', '/register', { event_types: '[]' });
      const connection = from(PROXY);
      const poll = head(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1`);
      connection.write(poll + head('/api/v1/server_settings').repeat(15));
      return connection;
    };
    for (let round = 0; round < 2; round++) {
      const connections = await Promise.all(several(4, waiting));
      while ((await production.metric('roost_parked_polls')) < 4) await pause(20);
      expect(connections.filter(({ text }) => text() !== '')).toEqual([]);
      await closeAll(connections);
      while ((await production.metric('roost_parked_polls')) > 0) await pause(20);
    }
    // There is room for half as many as there may be.
    const settings = `GET /api/v1/server_settings HTTP/1.1\nHost: localhost\nX-Forwarded-For: ${address}\n`;
    const others = several(PER_ADDRESS / 2, () => from(PROXY));
    for (const other of others) other.write(`${settings}Content-Length: 1\nConnection: close\n\n`);
    const asked = from(PROXY);
    asked.write(`${settings}Connection: close\n\n`);
    expect(statusOf(await asked.closed)).toBe(200);
    await closeAll(others);
  });

  it('believes a forwarded host of the proxy alone', async () => {
    const settings = (by: string, headers: string) => ask(by, '/api/v1/server_settings', headers).then(statusOf);
    expect(await settings('127.0.9.2', 'Host: localhost\nX-Forwarded-Host: evil.test')).toBe(200);
    expect(await settings('127.0.9.2', 'Host: evil.test\nX-Forwarded-Host: localhost')).toBe(
      await settings('127.0.9.2', 'Host: evil.test'),
    );
    expect(await settings(PROXY, 'Host: evil.test\nX-Forwarded-Host: localhost')).toBe(200);
    const me = (by: string, headers: string) =>
      ask(by, '/api/v1/users/me', `${headers}\nAuthorization: ${production.authorization}`).then(statusOf);
    expect(await me('127.0.9.2', 'Host: localhost\nX-Forwarded-Host: evil.test')).toBe(200);
    for (const by of [PROXY, '127.0.9.2']) expect(await me(by, 'Host: evil.test')).toBe(404);
    expect(await me('127.0.9.2', 'Host: evil.test\nX-Forwarded-Host: localhost')).toBe(404);
    expect(await me(PROXY, 'Host: localhost\nX-Forwarded-Host: localhost, evil.test')).toBe(404);
    const { text } = await fetch(`${production.server.url}/login/`, {
      headers: { 'x-forwarded-host': 'evil.test' },
    }).then(async (reply) => ({ text: await reply.text() }));
    expect(text).not.toContain('evil.test');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__[isAdmin]'])(
    'takes a field named %s for nothing but a field, or for none',
    async (field) => {
      const part = (title: string, value: string) =>
        `--x\r\nContent-Disposition: form-data; name="${title}"\r\n\r\n${value}\r\n`;
      const body = `${part(field, '{"isAdmin":true}')}${part('type', 'direct')}${part('to', `["${production.owner.email}"]`)}${part('content', 'still here')}--x--\r\n`;
      for (const path of ['/api/v1/messages', '/api/v1/user_uploads', '/login/']) {
        const reply = await fetch(`${production.server.url}${path}`, {
          method: 'POST',
          headers: { authorization: production.authorization, 'content-type': 'multipart/form-data; boundary=x' },
          body,
        });
        expect([path, reply.status < 500]).toEqual([path, true]);
      }
      const query = new URLSearchParams({ [field]: '{"isAdmin":true}' }).toString();
      const settings = await fetch(`${production.server.url}/api/v1/server_settings?${query}`);
      expect([settings.status, 'isAdmin' in ((await settings.json()) as object)]).toEqual([200, false]);
      expect(await owner('GET', '/users/me')).toMatchObject({ result: 'success', is_admin: true });
      const sent = await owner('POST', '/messages', { type: 'direct', to: [production.owner.email], content: 'x' });
      expect(sent.result).toBe('success');
    },
  );

  it('invites 300 people at once, and refuses two thousand', async () => {
    const invite = (count: number) =>
      owner('POST', '/invites', {
        invitee_emails: several(count, (index) => `n${index}@roost.test`).join(),
        stream_ids: [],
      });
    expect(await invite(2000)).toMatchObject({ result: 'error', msg: 'You can invite at most 300 people at once.' });
    expect((await owner<{ invites: object[] }>('GET', '/invites')).invites).toEqual([]);
    expect((await invite(300)).result).toBe('success');
    expect((await owner<{ invites: object[] }>('GET', '/invites')).invites).toHaveLength(300);
  });

  it('writes no query string into its log, whatever is asked', async () => {
    const login = `Host: localhost\nAuthorization: ${production.authorization}`;
    const paths = [
      '/',
      '//',
      '////',
      '/%',
      '/%00',
      '*',
      'http://[',
      'http://evil.test/',
      '/login/',
      '/join/x/',
      '/accounts/do_confirm/x/',
      '/accounts/password/reset/x/',
      '/user_uploads/1/x',
      '/user_uploads/temporary/x/y',
      '/user_avatars/x',
      '/external_content/x/y',
      '/thumbnail',
      '/avatar/1',
      '/api/v1/users/me',
      '/api/v1/messages',
      '/api/v1/events',
      '/api/v1/register',
      '/api/v1/server_settings',
      '/api/v1/fetch_api_key',
      '/api/v1/no-such-thing',
      '/api/v1/tus/',
      '/api/v1/tus/1/x',
      '/api/v1/external/json',
      '/api/v1/openapi.json',
      '/api/assets/none.js',
      '/health',
      '/metrics',
    ];
    const query = `?api_key=${SECRET}&queue_id=${SECRET}&last_event_id=${SECRET}&anchor=${SECRET}&narrow=[${SECRET}`;
    for (const path of paths)
      for (const [method, headers] of [
        ['GET', 'Host: localhost'],
        ['GET', login],
        ['POST', `${login}\nContent-Length: 0`],
        ['PATCH', `${login}\nTus-Resumable: 1.0.0\nUpload-Offset: 0`],
        ['GET', `Host: evil.test\nReferer: http://localhost/${query}`],
      ] as const) {
        const answer = await ask('127.0.9.3', `${path}${query}`, headers, method);
        expect([path, method, statusOf(answer) < 500]).toEqual([path, method, true]);
      }
    await pause(300);
    // Something has been written, so that there is something to look into.
    expect(production.server.output()).toContain('ready http');
    expect(production.server.output()).not.toContain(SECRET);
  });

  it.each([
    [431, `GET /api/v1/messages?anchor=${'1'.repeat(17_000)} HTTP/1.1`],
    [431, `GET / HTTP/1.1\nX: ${'x'.repeat(17_000)}`],
    [400, 'never a request'],
    [400, 'GET / HTTP/1.1\nNo colon'],
  ])('answers with %s what never becomes a request (protocol/errors#unknown-routes)', async (status, head) => {
    const connection = from('127.0.9.4');
    connection.write(`${head}\n\n`);
    const [headers = '', body = ''] = (await connection.closed).split('\r\n\r\n');
    expect(statusOf(headers)).toBe(status);
    expect(headers).toMatch(/content-type: application\/json\r/i);
    expect(JSON.parse(body)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  it('sends browsers to no https address that it does not have', async () => {
    for (const path of ['/login/', '/api/v1/server_settings'])
      expect((await fetch(`${production.server.url}${path}`)).headers.has('strict-transport-security')).toBe(false);
  });
});

describe.each(databasesInTurn(import.meta.url))('a server with an https address on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  beforeAll(async () => {
    database = await makeDatabase(name);
    const environment = { ROOST_EXTERNAL_URL: 'https://chat.roost.test' };
    server = await startProcess(database, await freePort(), environment, 'serve');
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });

  it.each(['/', '/login/', '/api/v1/server_settings', '/api/v1/users/me', '/api/v1/none', '/none', '/health'])(
    'tells browsers to come by https for a year: %s',
    async (path) => {
      const reply = await fetch(`${server.url}${path}`, { redirect: 'manual' });
      expect(reply.headers.get('strict-transport-security')).toBe('max-age=31536000');
    },
  );
});
