import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { Http2Client, OutboundFault } from './index.ts';

const AT_ONCE = 200;
const servers: Http2Server[] = [];
const clients: Http2Client[] = [];

/** A server that keeps its streams, and a client that posts to it. */
async function keeping(clock = new TestClock()) {
  const streams: ServerHttp2Stream[] = [];
  const server = createServer();
  server.on('stream', (stream) => streams.push(stream.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Http2Client(clock);
  servers.push(server);
  clients.push(client);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = () => client.post({ url, headers: {}, body: 'x', timeoutMs: 5_000 });
  return { streams, post, clock };
}
const reasonOf = (reply: Promise<unknown>) =>
  reply.then(
    () => 'none',
    (error: unknown) => (error instanceof OutboundFault ? error.reason : error),
  );

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) server.close();
});

it('has 200 requests under way at once, and lets the others wait for one that ends', async () => {
  const { streams, post } = await keeping();
  const replies = Array.from({ length: AT_ONCE + 50 }, post);
  await expect.poll(() => streams.length).toBe(AT_ONCE);
  for (const stream of streams.slice(0, 20)) stream.respond({ ':status': 200 }, { endStream: true });
  await expect.poll(() => streams.length).toBe(AT_ONCE + 20);
  for (const stream of streams.slice(20)) stream.respond({ ':status': 200 }, { endStream: true });
  await expect.poll(() => streams.length).toBe(replies.length);
  for (const stream of streams.slice(AT_ONCE + 20)) stream.respond({ ':status': 200 }, { endStream: true });
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses).toEqual(replies.map(() => 200));
});

it('ends those that wait when their time is over, or the connection', async () => {
  const { streams, post, clock } = await keeping();
  const held = Array.from({ length: AT_ONCE }, () => reasonOf(post()));
  await expect.poll(() => streams.length).toBe(AT_ONCE);
  clock.advance(1_000);
  const waiting = reasonOf(post());
  clock.advance(4_000);
  expect(new Set(await Promise.all(held))).toEqual(new Set(['time']));
  // There is room for it now.
  await expect.poll(() => streams.length).toBe(AT_ONCE + 1);
  const more = Array.from({ length: AT_ONCE + 5 }, () => reasonOf(post()));
  streams.at(-1)?.session?.destroy();
  expect(new Set(await Promise.all([waiting, ...more]))).toEqual(new Set(['network']));
});
