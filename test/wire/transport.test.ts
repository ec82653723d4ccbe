import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

describe('the wire (protocol/wire#routes to protocol/errors#unknown-routes)', () => {
  let world: World;
  let port: number;
  let authorization: string;
  beforeAll(async () => {
    world = await openWorld('sqlite', { environment: { ROOST_PORT: '0' } });
    port = await world.server.start();
    authorization = world.max.authorization;
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
  });
  afterAll(() => world.close());

  const url = (path: string) => `http://127.0.0.1:${port}${path}`;
  const send = async (
    method: string,
    path: string,
    body?: string | FormData | URLSearchParams | Uint8Array,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(url(path), {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  };
  const form = (text: string) => [text, { 'content-type': 'application/x-www-form-urlencoded' }] as const;
  /** Sends bytes as they are and returns all that comes back until the server closes. */
  const rawRequest = (bytes: string | Buffer, end = true) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it('reads parameters from a urlencoded body, a multipart body or the query', async () => {
    const fields = { type: 'channel', to: 'general', topic: 'a + b & c', content: 'ü 😀' };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(fields)) multipart.set(name, value);
    for (const reply of [
      await send('POST', '/api/v1/messages', new URLSearchParams(fields)),
      await send('POST', '/api/v1/messages', multipart),
      await send('POST', `/api/v1/messages?${new URLSearchParams(fields).toString()}`),
    ])
      expect(reply).toMatchObject({ status: 200, body: { result: 'success', msg: '' } });
    // What the server says of the new channel may come at any time.
    const narrow = [{ operator: 'topic', operand: fields.topic }];
    const { messages } = await world.max.get('/messages', {
      anchor: 'newest',
      num_before: 4,
      apply_markdown: false,
      narrow,
    });
    expect(messages.map((message: { subject: string; content: string }) => [message.subject, message.content])).toEqual(
      Array(3).fill(['a + b & c', 'ü 😀']),
    );
  });

  it('takes a part of JSON without a file name as the text that it is', async () => {
    const fields = { type: 'direct', to: JSON.stringify([world.mia.userId]), content: 'in parts' };
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${value}\r\n`,
    );
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const reply = await send('POST', '/api/v1/messages', `${parts.join('')}--x--\r\n`, type);
    expect(reply).toMatchObject({ status: 200, body: { result: 'success' } });
    // None of it is read as JSON before it is known what it is for, and it counts like any other text.
    const large = `${parts[0]?.replace('direct', `[${'0,'.repeat(4_500_000)}0]`)}--x--\r\n`;
    expect((await send('POST', '/api/v1/messages', large, type)).status).toBe(413);
  });

  it('prefers the body to the query and the last of a repeated name, and ignores a JSON body', async () => {
    const direct = await send(
      'POST',
      '/api/v1/fetch_api_key?username=query',
      ...form('username=first&username=nobody%40roost.test&password=x'),
    );
    expect(direct.body).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    const json = await send('POST', '/api/v1/messages', JSON.stringify({ type: 'channel' }), {
      'content-type': 'application/json',
    });
    expect(json.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'type' });
  });

  it('lists unknown parameters of a success, sorted, but not its own', async () => {
    const reply = await send('GET', '/api/v1/users/me?zebra=1&apple=2&client=x&api_key=y');
    expect(reply.body.ignored_parameters_unsupported).toEqual(['apple', 'zebra']);
    expect((await send('GET', '/api/v1/users/me')).body).not.toHaveProperty('ignored_parameters_unsupported');
  });

  it('folds empty path segments', async () => {
    expect((await send('GET', '/api/v1//users//me')).status).toBe(200);
  });

  it('answers an unknown path, a wrong method and a path that is no number in JSON', async () => {
    expect(await send('GET', '/api/v1/nowhere')).toMatchObject({
      status: 404,
      body: { result: 'error', code: 'BAD_REQUEST' },
    });
    expect((await send('GET', '/api/v1/streams/12x')).status).toBe(404);
    const wrong = await send('PUT', '/api/v1/messages');
    expect(wrong).toMatchObject({ status: 405, body: { msg: 'Method Not Allowed' } });
    expect(wrong.headers.get('allow')).toContain('POST');
    expect(wrong.body.allowed_methods).toContain('GET');
  });

  it('answers HEAD without a body, OPTIONS with what is allowed, and takes the method from a form', async () => {
    const head = await fetch(url('/api/v1/users/me'), { method: 'HEAD', headers: { authorization } });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await fetch(url('/api/v1/messages'), { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, expect.stringContaining('POST')]);
    const { queue_id } = await world.max.post('/register', { event_types: [] });
    expect((await send('POST', '/api/v1/events', ...form(`method=delete&queue_id=${queue_id}`))).body.result).toBe(
      'success',
    );
  });

  it('refuses credentials in the order and the words of protocol/authentication#credentials', async () => {
    const as = async (header: string | undefined) => {
      const response = await fetch(
        url('/api/v1/users/me'),
        header === undefined ? {} : { headers: { authorization: header } },
      );
      return [
        response.status,
        ((await response.json()) as { code: string }).code,
        response.headers.get('www-authenticate') !== null,
      ];
    };
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(await as(undefined)).toEqual([401, 'UNAUTHORIZED', true]);
    const page = await fetch(url('/api/v1/users/me'), { headers: { 'x-requested-with': 'XMLHttpRequest' } });
    expect([page.status, page.headers.get('www-authenticate')]).toEqual([401, 'Session realm="roost"']);
    expect(await as('Bearer x')).toEqual([400, 'BAD_REQUEST', false]);
    expect(await as('Basic')).toEqual([401, 'UNAUTHORIZED', true]);
    expect(await as(basic('no colon'))).toEqual([401, 'UNAUTHORIZED', true]);
    expect(await as(basic('member@roost.test:short'))).toEqual([401, 'INVALID_API_KEY', true]);
    expect(await as(basic(`member@roost.test:${'A'.repeat(32)}`))).toEqual([401, 'INVALID_API_KEY', true]);
    expect(await as(basic(`nobody@roost.test:${'A'.repeat(32)}`))).toEqual([401, 'INVALID_API_KEY', true]);
    expect(await as(authorization.replace('Basic', 'bAsIc'))).toEqual([200, undefined, false]);
    expect(await as(basic(`user${world.max.userId}@localhost:${world.max.apiKey}`))).toEqual([200, undefined, false]);
  });

  it('refuses text that is not UTF-8, NUL bytes, and JSON that is too deep', async () => {
    expect((await send('POST', '/api/v1/messages', ...form('type=%FF%FE&content=x'))).body).toMatchObject({
      result: 'error',
      code: 'BAD_REQUEST',
    });
    const bytes = Buffer.concat([Buffer.from('type='), Buffer.from([0xff, 0xfe])]);
    expect(
      (await send('POST', '/api/v1/messages', bytes, { 'content-type': 'application/x-www-form-urlencoded' })).body,
    ).toMatchObject({ result: 'error' });
    expect(
      (await send('POST', '/api/v1/messages', ...form('type=channel&to=general&topic=a%00b&content=x'))).body.msg,
    ).toContain('null bytes');
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await send('POST', '/api/v1/users/me/subscriptions', ...form(`subscriptions=${deep}`))).body.msg).toBe(
      'subscriptions is not valid JSON',
    );
  });

  it('takes half a character in a text for no JSON (protocol/wire#json-values)', async () => {
    const say = async (words: string) =>
      (await send('POST', '/api/v1/users/me/alert_words', ...form(`alert_words=${encodeURIComponent(words)}`))).body;
    for (const half of ['\\ud83d', 'a\\uDE00b', '\\ude00\\ud83d', '\\\\\\ud800'])
      expect([half, (await say(`["${half}"]`)).msg]).toEqual([half, 'alert_words is not valid JSON']);
    expect((await say('["\\ud83d\\ude00", "\\\\ud800"]')).alert_words).toEqual(['😀', '\\ud800']);
  });

  it('refuses bodies over the limit, said or streamed, and lives on', async () => {
    const large = 'content='.padEnd(9 * 1024 * 1024, 'x');
    const reply = await send('POST', '/api/v1/messages', ...form(large)).catch((error: Error) => error);
    if (!(reply instanceof Error)) expect(reply).toMatchObject({ status: 413, body: { result: 'error' } });
    const many = Array.from({ length: 3000 }, (_, index) => `p${index}=1`).join('&');
    expect((await send('POST', '/api/v1/messages', ...form(many))).status).toBe(400);
    expect((await send('GET', '/api/v1/users/me')).status).toBe(200);
  });

  it('survives requests that are cut off, malformed or not HTTP at all', async () => {
    const head = `POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\ntype=chan`;
    await rawRequest(head);
    expect(await rawRequest('garbage\r\n\r\n')).toContain('400');
    expect(await rawRequest('GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toContain('404');
    await rawRequest(
      `POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 40\r\n\r\n--x\r\nContent-Disposition: form-data; na`,
    );
    expect((await send('GET', '/api/v1/users/me')).status).toBe(200);
  });

  it('names the organization by the host', async () => {
    const reply = await rawRequest(
      `GET /api/v1/users/me HTTP/1.1\r\nHost: elsewhere.example\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toContain('NONEXISTENT_SUBDOMAIN');
    expect(reply.startsWith('HTTP/1.1 404')).toBe(true);
  });

  it('takes a number that no ID can have for a thing that is not there (protocol/wire#routes)', async () => {
    for (const id of ['2147483648', '99999999999999999999']) {
      const { status, body } = await send('GET', `/api/v1/streams/${id}`);
      expect([status, body.msg]).toEqual([400, 'Invalid channel ID']);
    }
  });

  it('never lets an answer be cached, and says how much of the limit is left', async () => {
    const { headers } = await send('GET', '/api/v1/users/me');
    expect(headers.get('cache-control')).toContain('no-store');
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'])
      expect(headers.get(name)).toBeTruthy();
  });
});

describe('rate limits (protocol/wire#rate-limits)', () => {
  it('answers 429 with the time to wait, per user and per address', async () => {
    const world = await openWorld('sqlite', { rateLimits: 'on' });
    for (let i = 0; i < 200; i++) await world.max.get('/users/me');
    const { status, body, headers } = await world.max.request('GET', '/users/me');
    expect([status, body['code']]).toEqual([429, 'RATE_LIMIT_HIT']);
    expect(body['retry-after']).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await world.mia.request('GET', '/users/me')).status).toBe(200);
    for (let i = 0; i < 100; i++) await world.spectator.request('GET', '/server_settings');
    expect((await world.spectator.request('GET', '/server_settings')).status).toBe(429);
    await world.close();
  });
});
