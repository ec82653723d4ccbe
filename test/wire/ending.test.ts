import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openWorld, untilParked, type World } from '../support/world.ts';

/** An end that took longer would wait for connections that nobody is going to use. */
const ENDS_WITHIN_MS = 30_000;

describe('an orderly end', { timeout: ENDS_WITHIN_MS }, () => {
  const listening = async () => {
    const world = await openWorld('sqlite', { environment: { ROOST_PORT: '0' } });
    return { world, port: await world.server.start() };
  };

  /** Asks by connections that stay open: status, Connection header and body of the answer, or why there is none. */
  const asks = (world: World, port: number) => {
    const agent = new Agent({ keepAlive: true });
    const headers = { authorization: world.max.authorization };
    return (path: string) =>
      new Promise<string>((resolve) => {
        const asked = request({ port, agent, path: `/api/v1${path}`, headers }, (reply) => {
          let body = '';
          reply.on('data', (chunk) => (body += String(chunk)));
          reply.on('end', () => resolve(`${reply.statusCode} ${reply.headers.connection} ${body}`));
        });
        asked.on('error', (error) => resolve(error.message));
        asked.end();
      });
  };

  /** A connection of bytes: what has come, and when a text has come or the server has closed it. */
  const open = (port: number) => {
    let text = '';
    const socket = connect(port, '127.0.0.1').on('data', (chunk) => (text += chunk.toString('latin1')));
    const closed = new Promise<string>((resolve, reject) => {
      socket.on('close', () => resolve(text)).on('error', reject);
    });
    const until = async (wanted: string) => {
      while (!text.includes(wanted)) await new Promise((resolve) => socket.once('data', resolve));
    };
    return { socket, closed, until, write: (bytes: string) => socket.write(bytes.replaceAll('\n', '\r\n')) };
  };

  it('answers each waiting poll once, and no poll comes again however long the end takes', async () => {
    const { world, port } = await listening();
    const ask = asks(world, port);
    const queue = await world.max.register({ event_types: [] });
    const poll = () => ask(`/events?queue_id=${queue.id}&last_event_id=${queue.lastEventId}`);
    const waiting = poll();
    await untilParked(world, 1);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const writing = world.server.context.store.write(() => held);
    const closed = world.close();
    expect(await waiting).toMatch(/^200 close .*"result":"success".*"events":\[\]/);
    for (let turn = 0; turn < 20; turn++) expect(await poll()).toMatch(/^503 close|ECONNREFUSED|ECONNRESET/);
    release();
    await Promise.all([writing, closed]);
  });

  it('lets a request under way end, and with it its connection, and refuses others in the envelope', async () => {
    const { world, port } = await listening();
    const head = `Host: localhost\nAuthorization: ${world.max.authorization}\n`;
    const [late, underWay] = [open(port), open(port)];
    late.write(`GET /api/v1/users/me HTTP/1.1\n${head}`);
    const form = 'status_text=digging';
    underWay.write(
      `POST /api/v1/users/me/status HTTP/1.1\n${head}Content-Type: application/x-www-form-urlencoded\nContent-Length: ${form.length}\nExpect: 100-continue\n\n`,
    );
    await underWay.until('100 Continue');
    const closed = world.close();
    late.write('\n');
    const refusal = await late.closed;
    expect(refusal).toMatch(/^HTTP\/1.1 503 /);
    expect(refusal).toMatch(/^connection: close\r$/im);
    expect(refusal).toMatch(/^retry-after: 1\r$/im);
    expect(JSON.parse(refusal.split('\r\n\r\n')[1] ?? '')).toEqual({
      result: 'error',
      code: 'SERVER_NOT_READY',
      'retry-after': 1,
      msg: 'The server is shutting down',
    });
    underWay.write(form);
    expect(await underWay.closed).toMatch(/HTTP\/1.1 200 [^]*^connection: close\r$[^]*"result":"success"/im);
    await closed;
  });

  it('sends what it has begun to send whole, and then closes the connection', async () => {
    const { world, port } = await listening();
    const size = 30_000_000;
    const { url } = await world.max.upload('large.bin', Buffer.alloc(size, 'x'));
    const download = open(port);
    download.write(`GET ${url} HTTP/1.1\nHost: localhost\nAuthorization: ${world.max.authorization}\n\n`);
    await download.until('\r\n\r\n');
    download.socket.pause();
    const closed = world.close();
    download.socket.resume();
    const [head = '', body = ''] = (await download.closed).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 [^]*^connection: keep-alive\r$/im);
    expect(body).toHaveLength(size);
    await closed;
  });
});
