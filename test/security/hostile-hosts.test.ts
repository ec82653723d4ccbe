import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn } from '../support/databases.ts';
import { writtenMails } from '../support/mails.ts';
import { pause } from '../support/pause.ts';
import { call, runCommand } from '../support/process.ts';
import { type Production, startProduction } from '../support/production.ts';
import { rawRequest } from '../support/raw.ts';

const MIB = 2 ** 20;
const PIECE = '1\r\na\r\n';
const INTERIM = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const CHUNKED = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n';

/** A host that answers each request with `head` and then with `unit` for as long as somebody reads. */
async function pourer(head: string, unit: string) {
  const block = unit.repeat(10_000);
  const sockets = new Set<Socket>();
  let requests = 0;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.once('data', () => {
      requests++;
      const pour = (): void => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.write(head);
      socket.on('drain', pour);
      pour();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.each(databasesInTurn(import.meta.url))('a server that asks hostile hosts, on %s', (name) => {
  let production: Production;
  beforeAll(async () => {
    production = await startProduction(name, { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8', ROOST_RATE_LIMITS: 'off' });
    await owner('PATCH', '/realm', { inline_url_embed_preview: true });
  });
  afterAll(() => production.stop());

  const owner = (method: string, path: string, fields: Record<string, unknown> = {}) =>
    call(production.server, production.owner, method, path, fields);
  const send = (to: unknown, content: string) => owner('POST', '/messages', { type: 'direct', to: [to], content });
  /** Creates an account in the owner's organization; returns how it sends requests. */
  const member = async (email: string) => {
    const password = 'five nests in the west tower';
    await runCommand(production.database, ['user', 'create', email, '--full-name=Member'], { stdin: `${password}\n` });
    const { api_key } = await call(production.server, { email: '', api_key: '' }, 'POST', '/fetch_api_key', {
      username: email,
      password,
    });
    return (method: string, path: string, fields: Record<string, unknown>) =>
      call(production.server, { email, api_key: String(api_key) }, method, path, fields);
  };
  const memory = () => production.metric('process_resident_memory_bytes');
  /** The most memory that something takes, and the processor's seconds, until no connection to the host is open. */
  const costOf = async (host: Awaited<ReturnType<typeof pourer>>, requests: number, work: () => Promise<unknown>) => {
    const seconds = () => production.metric('process_cpu_seconds_total');
    const [before, began] = [await memory(), await seconds()];
    let most = before;
    await work();
    while (host.requests() < requests || host.open() > 0) {
      most = Math.max(most, await memory());
      await pause(20);
    }
    host.close();
    return { bytes: most - before, seconds: (await seconds()) - began };
  };

  it('keeps no answer of a bot in memory that comes a byte at a time', async () => {
    const host = await pourer(CHUNKED, PIECE);
    const payload_url = JSON.stringify(host.url);
    const { user_id } = await owner('POST', '/bots', { full_name: 'Bot', short_name: 'bot', bot_type: 3, payload_url });
    const all = Array.from({ length: 16 }, (_, index) => send(user_id, `number ${index}`));
    const { bytes } = await costOf(host, 16, () => Promise.all(all));
    expect(bytes).toBeLessThan(100 * MIB);
  });

  it('sends mails while hosts that are linked to do not answer', async () => {
    let mailed = false;
    const held: Socket[] = [];
    const silent = createServer((socket) => held.push(socket.on('error', () => undefined)));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    for (let count = 0; count < 24; count++) await send(production.owner.email, `http://127.0.0.1:${port}/${count}`);
    await expect.poll(() => held.length, { timeout: 5_000 }).toBe(4);
    await owner('POST', '/invites', { invitee_emails: 'nora@roost.test', stream_ids: [] });
    // A third of them waits until the eight seconds of those before are over, and a third still longer.
    for (let looks = 0; looks < 30 && !mailed; looks++) {
      await pause(100);
      mailed = writtenMails(production.database.dataDir).some((mail) => mail.includes('nora@roost.test'));
    }
    expect([mailed, held.length]).toEqual([true, 4]);
    silent.close();
    for (const socket of held) socket.destroy();
  });

  it('asks hosts for others while those of an organization do not answer', { timeout: 120_000 }, async () => {
    const create = ['organization', 'create', '--subdomain=other', '--name=Other', '--email=otto@roost.test'];
    await runCommand(production.database, [...create, '--full-name=Otto'], {
      stdin: 'four nests in the south tower\n',
    });
    const login = { username: 'otto@roost.test', password: 'four nests in the south tower' };
    const other = async (method: string, path: string, fields: Record<string, string>, key = '') => {
      const body = new URLSearchParams(fields).toString();
      const head = [
        `${method} /api/v1${path} HTTP/1.1`,
        'Host: other.localhost',
        'Connection: close',
        `Authorization: Basic ${Buffer.from(`otto@roost.test:${key}`).toString('base64')}`,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
      ].join('\r\n');
      const [, answer = ''] = (await rawRequest(production.port, `${head}\r\n\r\n${body}`)).split('\r\n\r\n');
      const reply: Record<string, unknown> = JSON.parse(answer);
      expect(reply).toMatchObject({ result: 'success' });
      return reply;
    };
    const key = String((await other('POST', '/fetch_api_key', login))['api_key']);
    await other('PATCH', '/realm', { inline_url_embed_preview: 'true' }, key);
    const asked: string[] = [];
    const answering = createHttpServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end('<title>here</title>');
    });
    const held: Socket[] = [];
    const silent = createServer((socket) => held.push(socket.on('error', () => undefined)));
    for (const server of [answering, silent]) await once(server.listen(0, '127.0.0.1'), 'listening');
    const at = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const botAt = (short_name: string, url: string) => {
      return { full_name: short_name, short_name, bot_type: '3', payload_url: JSON.stringify(url) };
    };
    const mute = (await owner('POST', '/bots', botAt('mute', at(silent))))['user_id'];
    const talks = (await other('POST', '/bots', botAt('talks', `${at(answering)}/called`), key))['user_id'];
    for (let count = 0; count < 24; count++) {
      await send(production.owner.email, `${at(silent)}/${count}`);
      await send(mute, `number ${count}`);
    }
    // One sender has 4 of 16 workers, and one owner of bots 8 of 32.
    await expect.poll(() => held.length, { timeout: 5_000 }).toBe(12);
    const ask = (to: unknown, content: string) =>
      other('POST', '/messages', { type: 'direct', to: JSON.stringify([to]), content }, key);
    await ask(talks, 'hello');
    await ask('otto@roost.test', `${at(answering)}/linked`);
    await expect.poll(() => asked.toSorted(), { timeout: 4_000 }).toEqual(['/called', '/linked']);
    asked.length = 0;
    const mia = await member('mia@roost.test');
    const own = (await mia('POST', '/bots', botAt('own', `${at(answering)}/called`)))['user_id'];
    await mia('POST', '/messages', { type: 'direct', to: [own], content: 'hello' });
    await mia('POST', '/messages', { type: 'direct', to: [own], content: `${at(answering)}/also-linked` });
    await expect.poll(() => asked.toSorted(), { timeout: 4_000 }).toEqual(['/also-linked', '/called', '/called']);
    expect(held.length).toBe(12);
    for (const server of [answering, silent]) server.close();
    for (const socket of held) socket.destroy();
  });

  it('reads no page behind a link whose beginning never comes', async () => {
    const host = await pourer('', INTERIM);
    const links = Array.from({ length: 24 }, (_, index) => `${host.url}/${index}`).join('\n\n');
    const { seconds } = await costOf(host, 24, () => send(production.owner.email, links));
    expect(seconds).toBeLessThan(2);
  });
});

describe.each(databasesInTurn(import.meta.url))('a server whose people name addresses inside, on %s', (name) => {
  let production: Production;
  let connections = 0;
  const inside = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  beforeAll(async () => {
    production = await startProduction(name, { ROOST_RATE_LIMITS: 'off' });
    await once(inside.listen(0, '::'), 'listening');
    await owner('PATCH', '/realm', { inline_url_embed_preview: true });
  });
  afterAll(async () => {
    inside.close();
    await production.stop();
  });

  const owner = (method: string, path: string, fields: Record<string, unknown> = {}) =>
    call(production.server, production.owner, method, path, fields);
  const send = (to: unknown, content: string) => owner('POST', '/messages', { type: 'direct', to: [to], content });
  const said = async (): Promise<string> =>
    JSON.stringify((await owner('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 }))['messages']);
  /** Ways to write this machine; `0` and `::` lead to it, too. */
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    'localhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[::127.0.0.1]',
    '①②⑦.0.0.1',
  ];

  it('asks none of them: by no webhook, push service, link or picture', async () => {
    const { port } = inside.address() as AddressInfo;
    for (const [index, host] of hosts.entries()) {
      const payload_url = JSON.stringify(`http://${host}:${port}/`);
      const bot = { full_name: `Bot ${index}`, short_name: `bot-${index}`, bot_type: 3, payload_url };
      const { user_id } = await owner('POST', '/bots', bot);
      if (user_id !== undefined) await send(user_id, 'hello');
      await send(production.owner.email, `http://${host}:${port}/page http://${host}:${port}/picture.png`);
      const subscribed = await owner('POST', '/push_subscriptions', {
        endpoint: `https://${host}:${port}/`,
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      });
      expect(subscribed['result']).toBe('success');
      expect((await owner('POST', `/push_subscriptions/${subscribed['id']}/test`))['result']).toBe('error');
    }
    const pictures = (await said()).match(/\/external_content\/[0-9a-f/]+/g) ?? [];
    expect(pictures.length).toBeGreaterThan(5);
    for (const path of pictures) expect((await fetch(`${production.server.url}${path}`)).status).toBe(404);
    await expect
      .poll(
        async () => (await said()).match(/its address is not on the public Internet|its host is not known/g)?.length,
        {
          timeout: 20_000,
        },
      )
      .toBeGreaterThanOrEqual(hosts.length);
    expect(connections).toBe(0);
  });
});
