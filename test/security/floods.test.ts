import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { type Production, startProduction } from '../support/production.ts';
import { lines, openRaw, pour, type RawConnection } from '../support/raw-connection.ts';

const MIB = 2 ** 20;
/** Connections that the server under test allows each address; every attack comes from an address of its own. */
const PER_ADDRESS = 80;
const FORM = 'Content-Type: application/x-www-form-urlencoded';

type Fields = Readonly<Record<string, string | number>>;
const several = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe.each(databasesInTurn(import.meta.url))('a server in production on %s', (name) => {
  let production: Production;
  beforeAll(async () => {
    production = await startProduction(name, { ROOST_MAX_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS) });
  });
  afterAll(() => production.stop());

  const from = (address: string) => openRaw(production.port, address);
  const post = (path: string, headers: string, body = '') =>
    `POST ${path} HTTP/1.1\nHost: localhost\n${headers}\n\n${body}`;
  const closeAll = async (connections: readonly RawConnection[]) => {
    for (const { socket } of connections) socket.destroy();
    await Promise.all(connections.map(({ closed }) => closed));
  };
  const asOwner = (path: string) =>
    fetch(`http://127.0.0.1:${production.port}/api/v1${path}`, {
      headers: { authorization: production.authorization },
    });
  const memory = () => production.metric('process_resident_memory_bytes');
  /** Processor seconds that the server takes while something happens. */
  const processorSeconds = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await production.metric('process_cpu_seconds_total');
    await work();
    return (await production.metric('process_cpu_seconds_total')) - before;
  };

  it('takes no form of hundreds of large fields from a stranger', async () => {
    const before = await memory();
    const connection = from('127.0.1.1');
    connection.write(
      post(
        '/login/',
        `Content-Type: multipart/form-data; boundary=x\nContent-Length: ${2100 * MIB}\nCookie: roost-form=${'x'.repeat(32)}`,
      ),
    );
    const field = `--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n${'a'.repeat(8 * MIB)}\r\n`;
    const sent = await pour(connection, field, 260);
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(120 * MIB);
    expect(await memory()).toBeLessThan(before + 50 * MIB);
  });

  it('takes at most eight MiB of fields from somebody known, in all', async () => {
    const before = await memory();
    const connection = from('127.0.1.2');
    const head = `Authorization: ${production.authorization}\nContent-Type: multipart/form-data; boundary=x`;
    connection.write(post('/api/v1/messages', `${head}\nContent-Length: ${600 * MIB}`));
    const field = `--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n${'a'.repeat(MIB / 2)}\r\n`;
    await pour(connection, field, 1200);
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 413 /);
    expect(await memory()).toBeLessThan(before + 80 * MIB);
  });

  it('takes no larger form of its pages from somebody known than from a stranger', async () => {
    const send = async (bytes: number) => {
      const connection = from('127.0.1.2');
      const head = `Authorization: ${production.authorization}\n${FORM}\nConnection: close\nContent-Length: ${bytes}`;
      connection.write(post('/login/', head, `username=${'a'.repeat(bytes - 9)}`));
      return Number(/^HTTP\/1\.1 (\d+)/.exec(await connection.closed)?.[1]);
    };
    // Without the token of a form it is refused when it has been read.
    expect([await send(60_000), await send(70_000)]).toEqual([403, 413]);
  });

  it('ends a form of a million tiny or empty parts', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    for (const parts of [part.repeat(20_000), '--x\r\n\r\n\r\n'.repeat(100_000)]) {
      const connection = from('127.0.1.3');
      const head = `Authorization: ${production.authorization}\nContent-Type: multipart/form-data; boundary=x`;
      connection.write(post('/api/v1/messages', `${head}\nContent-Length: ${parts.length * 20}`));
      expect(await processorSeconds(() => pour(connection, parts, 20))).toBeLessThan(2);
      connection.socket.end();
      expect(await connection.closed).toMatch(/^HTTP\/1\.1 4(13|00) /);
    }
  });

  it('judges who asks, and how often, before the body', async () => {
    const length = 'Content-Length: 8000000';
    const basic = Buffer.from(`olive@roost.test:${'A'.repeat(32)}`).toString('base64');
    const wrong = from('127.0.1.4');
    wrong.write(post('/api/v1/messages', `Authorization: Basic ${basic}\n${FORM}\n${length}`));
    expect(await wrong.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
    const nobody = from('127.0.1.4');
    nobody.write(post('/api/v1/messages', `${FORM}\n${length}`));
    expect(await nobody.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
    const often = from('127.0.1.4');
    for (let request = 0; request < 98; request++) {
      often.write('GET /api/v1/server_settings HTTP/1.1\nHost: localhost\n\n');
      await often.until(`x-ratelimit-remaining: ${97 - request}\r`);
    }
    for (const path of ['/api/v1/fetch_api_key', '/login/']) {
      const limited = from('127.0.1.4');
      limited.write(post(path, `${FORM}\nCookie: roost-form=${'x'.repeat(32)}\nContent-Length: 60000`));
      expect(await limited.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 429 /);
      limited.socket.destroy();
    }
    await closeAll([wrong, nobody, often]);
  });

  it('asks for no body that it does not want', async () => {
    const connection = from('127.0.1.5');
    connection.write(post('/api/v1/messages', `${FORM}\nExpect: 100-continue\nContent-Length: 5000`));
    expect(await connection.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
    connection.socket.destroy();
    const wanted = from('127.0.1.5');
    const body = 'username=nobody%40roost.test&password=wrong';
    wanted.write(post('/api/v1/fetch_api_key', `${FORM}\nExpect: 100-continue\nContent-Length: ${body.length}`));
    expect(await wanted.until('\r\n\r\n')).toBe(lines('HTTP/1.1 100 Continue\n\n'));
    wanted.write(body);
    expect(await wanted.until('"code":"')).toContain('AUTHENTICATION_FAILED');
    wanted.socket.destroy();
  });

  it('answers a hundred early refusals without losing one (protocol/wire#rate-limits)', async () => {
    const body = 'content='.padEnd(2 * MIB, 'x');
    const headers = { authorization: 'Basic eDp5', 'content-type': 'application/x-www-form-urlencoded' };
    const url = `http://127.0.0.1:${production.port}/api/v1/messages`;
    const answers = [];
    for (let round = 0; round < 10; round++) {
      const replies = several(10, () =>
        fetch(url, { method: 'POST', headers, body }).then(
          async (reply) => ((await reply.json()) as { result: string }).result,
          (error: Error) => String(error.cause),
        ),
      );
      answers.push(...(await Promise.all(replies)));
    }
    expect(answers).toEqual(Array(100).fill('error'));
  });

  it('reads the rest of a large refused body no faster than 64 MiB in a second', async () => {
    const [length, first] = [44 * MIB, 4 * MIB];
    const connection = from('127.0.1.9');
    const began = performance.now();
    connection.write(post('/api/v1/messages', `Authorization: Basic eDp5\n${FORM}\nContent-Length: ${length}`));
    await pour(connection, Buffer.alloc(MIB, 'x'), length / MIB);
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(performance.now() - began).toBeGreaterThan(((length - first) / (64 * MIB)) * 1000);
  });

  /** Resolves when no more of bodies comes, nor goes. */
  const settled = async () => {
    for (let [before, same] = [-1, 0]; same < 3; ) {
      await pause(100);
      const held = await production.metric('roost_held_body_bytes');
      same = held === before ? same + 1 : 0;
      before = held;
    }
  };

  it('gives the bodies of all strangers a bounded room', async () => {
    const body = 'a'.repeat(60_000);
    const head = post('/api/v1/fetch_api_key', `${FORM}\nContent-Length: 60001`, body);
    const strangers = several(4, (host) => several(80, () => from(`127.0.2.${host + 1}`))).flat();
    for (const connection of strangers) connection.write(head);
    let held = 0;
    for (let look = 0; look < 20; look++) {
      await pause(50);
      held = Math.max(held, await production.metric('roost_held_body_bytes'));
    }
    expect(held).toBeGreaterThan(4 * MIB);
    expect(held).toBeLessThanOrEqual(8 * MIB);
    const refused = strangers.filter(({ text }) => text().startsWith('HTTP/1.1 503 '));
    expect(refused.length).toBeGreaterThan(0);
    expect((await asOwner('/users/me')).status).toBe(200);
    // What is left of the room goes to bodies that are just not small.
    const fillers = several(80, () => from('127.0.2.8'));
    for (const connection of fillers)
      connection.write(post('/api/v1/fetch_api_key', `${FORM}\nContent-Length: 4101`, 'a'.repeat(4100)));
    await settled();
    expect(fillers.filter(({ text }) => text().startsWith('HTTP/1.1 503 ')).length).toBeGreaterThan(0);
    // Somebody else logs in meanwhile.
    const login = 'username=olive%40roost.test&password=wrong&pad='.padEnd(4096, 'x');
    const other = from('127.0.2.9');
    other.write(post('/api/v1/fetch_api_key', `${FORM}\nConnection: close\nContent-Length: ${login.length}`, login));
    expect(await other.closed).toMatch(/^HTTP\/1\.1 401 /);
    await closeAll([...strangers, ...fillers]);
    await expect.poll(() => production.metric('roost_held_body_bytes'), { timeout: 10_000 }).toBe(0);
  });

  const asked = async (
    method: string,
    path: string,
    fields: Record<string, string>,
    authorization = production.authorization,
  ) => {
    const options = { method, headers: { authorization }, body: new URLSearchParams(fields) };
    return (await fetch(`http://127.0.0.1:${production.port}/api/v1${path}`, options)).json() as Promise<Fields>;
  };
  const botOf = async (short_name: string) => {
    const bot = await asked('POST', '/bots', { full_name: `Holder ${short_name}`, short_name });
    const { email } = (await asked('GET', `/users/${String(bot['user_id'])}`, {}).catch(() => bot)) as Fields;
    return `Basic ${btoa(`${String(email ?? `${short_name}-bot@localhost`)}:${String(bot['api_key'])}`)}`;
  };

  it('keeps its memory while a few bots store as much at once as they may', async () => {
    const bots: string[] = [];
    for (const name of ['six', 'seven', 'eight', 'nine']) bots.push(await botOf(name));
    const storage = JSON.stringify({ all: 'x'.repeat(7.8 * MIB) });
    const said: unknown[] = [];
    let [most, isOver] = [0, false];
    const looked = (async () => {
      for (; !isOver; await pause(10)) most = Math.max(most, await memory());
    })();
    for (let round = 0; round < 3; round++) {
      const put = async (index: number) => asked('PUT', '/bot_storage', { storage }, bots[index % bots.length]);
      said.push(...(await Promise.all(several(8, put))).map(({ result }) => result));
    }
    isOver = true;
    await looked;
    expect(new Set(said)).toEqual(new Set(['success']));
    expect(most).toBeLessThan(390 * MIB);
  });

  it('lets people send while some hold as much of bodies as they may', async () => {
    const holders: string[] = [];
    for (const name of ['one', 'two', 'three', 'four', 'five']) holders.push(await botOf(name));
    const hold = (authorization: string, bytes: number, address: string) => {
      const connection = from(address);
      const head = `Authorization: ${authorization}\n${FORM}\nContent-Length: ${bytes + 1}`;
      connection.write(post('/api/v1/messages', head));
      void pour(connection, 'a'.repeat(bytes / 7), 7);
      return connection;
    };
    const last = holders.pop() ?? '';
    const large = holders.flatMap((authorization) => several(3, () => hold(authorization, 7 * MIB, '127.0.1.9')));
    await expect.poll(() => production.metric('roost_held_body_bytes')).toBeGreaterThan(56 * MIB);
    await settled();
    // What is left of the room goes to bodies that are just not small.
    const bodies = [...large, ...several(130, () => hold(last, 66_500, '127.0.1.8'))];
    await settled();
    const me = (await (await asOwner('/users/me')).json()) as Fields;
    const message = {
      type: 'direct',
      to: JSON.stringify([me['user_id']]),
      content: 'still there',
      pad: 'x'.repeat(65_000),
    };
    expect(await asked('POST', '/messages', message)).toMatchObject({ result: 'success' });
    await closeAll(bodies);
  });

  it('ends bodies that come drop by drop, and heads that never end', async () => {
    const drops = several(60, () => from('127.0.1.6'));
    const began = performance.now();
    for (const drop of drops)
      drop.write(post('/login/', `${FORM}\nCookie: roost-form=${'x'.repeat(32)}\nContent-Length: 65000`));
    const silent = several(60, () => from('127.0.1.7'));
    for (const connection of silent.slice(0, 30)) connection.write('GET / HTTP/1.1\nHost: local');
    let isOver = false;
    const isLate = () => performance.now() - began > 25_000;
    const dripping = (async () => {
      while (!isOver) {
        if (isLate()) for (const { socket } of [...drops, ...silent]) socket.destroy();
        for (const { socket } of drops) if (socket.writable) socket.write('x'.repeat(100));
        for (const { socket } of silent.slice(0, 30)) if (socket.writable) socket.write('x');
        await pause(500);
      }
    })();
    const answers = await Promise.all(drops.map(({ closed }) => closed));
    const ends = await Promise.all(silent.map(({ closed }) => closed));
    isOver = true;
    await dripping;
    expect(new Set(answers.map((text) => text.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']));
    const heads = ends.map((text) => text.slice(0, 12));
    expect(new Set(heads.slice(0, 30))).toEqual(new Set(['HTTP/1.1 408']));
    // Who has asked nothing gets no reply, which would seem to be that to the next request.
    expect(new Set(heads.slice(30))).toEqual(new Set(['']));
    expect(isLate()).toBe(false);
  });

  it('takes memory for what comes of large bodies, not for what they announce', async () => {
    const [count, announced, sent] = [60, 8 * MIB, 64 * 1024];
    const bot = await botOf('ten');
    const outside = () => production.metric('nodejs_external_memory_bytes');
    const [before, outsideBefore] = [await memory(), await outside()];
    const began = performance.now();
    const connections = several(count, () => from('127.0.1.11'));
    const head = `PUT /api/v1/bot_storage HTTP/1.1\nHost: localhost\nAuthorization: ${bot}\n${FORM}`;
    for (const connection of connections)
      connection.write(`${head}\nContent-Length: ${announced}\n\n${'storage='.padEnd(sent, 'x')}`);
    await expect.poll(() => production.metric('roost_held_body_bytes')).toBe(count * sent);
    // What nothing was written to is not resident yet, but promised.
    expect(await outside()).toBeLessThan(outsideBefore + 3 * count * sent);
    expect(await memory()).toBeLessThan(before + 40 * MIB);
    const asked = performance.now();
    for (let request = 0; request < 10; request++) expect((await asOwner('/users/me')).status).toBe(200);
    expect(performance.now() - asked).toBeLessThan(5000);
    const answers = await Promise.all(connections.map(({ closed }) => closed));
    expect(new Set(answers.map((text) => text.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']));
    expect(performance.now() - began).toBeLessThan(25_000);
    expect(await production.metric('roost_held_body_bytes')).toBe(0);
  });

  it('bounds the connections of an address, and counts no poll of somebody known', async () => {
    const url = `http://127.0.0.1:${production.port}/api/v1`;
    const authorization = { authorization: production.authorization };
    const registered = await fetch(`${url}/register`, { method: 'POST', headers: authorization });
    const { queue_id, last_event_id } = (await registered.json()) as Record<string, string | number>;
    const poll = `GET /api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id} HTTP/1.1`;
    const parked = from('127.0.3.1');
    parked.write(`${poll}\nHost: localhost\nAuthorization: ${production.authorization}\n\n`);
    while ((await production.metric('roost_parked_polls')) < 1) await pause(20);
    const half = several(PER_ADDRESS, () => from('127.0.3.1'));
    for (const connection of half) connection.write(post('/login/', `${FORM}\nContent-Length: 100`, 'a'));
    await pause(500);
    expect(half.filter(({ text }) => text() !== '')).toEqual([]);
    const further = from('127.0.3.1');
    expect(await further.closed).toMatch(/^HTTP\/1\.1 503 |^$/);
    expect(parked.socket.closed).toBe(false);
    expect((await asOwner('/users/me')).status).toBe(200);
    expect(await production.metric('roost_refusals_total{reason="connections_of_address"}')).toBeGreaterThan(0);
    await closeAll([parked, ...half]);
  });

  it('closes the connection that has waited longest where there are too many', async () => {
    const idle = several(PER_ADDRESS, () => from('127.0.3.2'));
    for (const connection of idle) await new Promise((resolve) => connection.socket.once('connect', resolve));
    const further = from('127.0.3.2');
    further.write('GET /health HTTP/1.1\nHost: localhost\n\n');
    expect(await further.until('success')).toMatch(/^HTTP\/1\.1 200 /);
    await idle[0]?.closed;
    expect(idle.filter(({ socket }) => socket.closed)).toHaveLength(1);
    await closeAll([further, ...idle]);
  });

  it('ends a connection on which requests come by the thousand before any answer', async () => {
    const before = await memory();
    const connection = from('127.0.1.8');
    connection.write('GET /api/v1/openapi.json HTTP/1.1\nHost: localhost\n\n'.repeat(5000));
    await connection.closed;
    expect(await memory()).toBeLessThan(before + 60 * MIB);
    expect(await production.metric('roost_refusals_total{reason="pipelining"}')).toBeGreaterThan(0);
  });

  it('answers requests of one connection one after another, and others in between', async () => {
    const connection = from('127.0.1.8');
    connection.write('GET /health HTTP/1.1\nHost: localhost\n\n'.repeat(10));
    await expect.poll(() => connection.text().match(/HTTP\/1\.1 200 /g)?.length).toBe(10);
    const { text, socket, write } = from('127.0.1.8');
    write('GET /login/ HTTP/1.1\nHost: localhost\n\nGET /health HTTP/1.1\nHost: localhost\n\n');
    await expect.poll(text).toMatch(/<html[^]*"result"/);
    socket.destroy();
    await closeAll([connection]);
  });

  it('makes nothing of the requests behind those that were too many', async () => {
    const used = async () => (await production.metric('process_cpu_seconds_total')) * 1000;
    const seconds: number[] = [];
    // As many requests as one read of the connection brings, and twenty times as many.
    for (const count of [20, 1400]) {
      const before = await used();
      for (let round = 0; round < 200; round++) {
        const connection = from('127.0.1.8');
        connection.write('GET /health HTTP/1.1\nHost: localhost\n\n'.repeat(count));
        await connection.closed;
      }
      seconds.push((await used()) - before);
    }
    const [few = 0, many = 0] = seconds;
    expect(many).toBeLessThan(few + 100);
  });

  it('lives through what no client sends', async () => {
    const chunk = `1;${'x'.repeat(30_000)}\r\na\r\n`;
    const texts = [
      post('/login/', `${FORM}\nTransfer-Encoding: chunked`, chunk),
      post('/login/', 'Transfer-Encoding: chunked\nContent-Length: 5', '0\n\nGET /'),
      `GET / HTTP/1.1\nHost: localhost\n${'X-A: b\n'.repeat(5000)}\n`,
      `GET /${'a'.repeat(20_000)} HTTP/1.1\nHost: localhost\n\n`,
      'CONNECT localhost:1 HTTP/1.1\nHost: localhost\n\n',
      'GET /login/ HTTP/1.0\n\n',
      'GET /health HTTP/1.1\n\n',
      'PRI * HTTP/2.0\n\nSM\n\n',
    ];
    for (const text of texts) {
      const connection = from('127.0.1.9');
      connection.write(text);
      connection.socket.end();
      await connection.closed;
    }
    const upgrade = from('127.0.1.9');
    upgrade.write('GET /health HTTP/1.1\nHost: localhost\nConnection: Upgrade\nUpgrade: websocket\n\n');
    expect(await upgrade.until('success')).toMatch(/^HTTP\/1\.1 200 /);
    await closeAll([upgrade]);
    expect((await asOwner('/users/me')).status).toBe(200);
  });

  it('knows no path that breaks it, and writes no query into its log', async () => {
    for (const target of [
      '////?secret-of-the-query',
      '//?secret-of-the-query',
      'http://[?secret-of-the-query',
      '/%?secret-of-the-query',
      '*?secret-of-the-query',
    ]) {
      const connection = from('127.0.1.10');
      connection.write(`GET ${target} HTTP/1.1\nHost: localhost\nConnection: close\n\n`);
      expect(await connection.closed).toMatch(/^HTTP\/1\.1 [34]/);
    }
    expect(production.server.output()).not.toContain('secret-of-the-query');
  });

  it('stands as it stood', async () => {
    expect(await memory()).toBeLessThan(300 * MIB);
    expect(
      production.server
        .output()
        .split('\n')
        // Who was refused is told, as it should be.
        .filter((line) => /"level":"(error|warn)"/.test(line) && !line.includes('a sign-in was refused')),
    ).toEqual([]);
    expect((await asOwner('/users/me')).status).toBe(200);
  });
});
