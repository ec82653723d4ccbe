import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { slicesOf } from './slices.ts';

const KIB = 1024;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A request that announces a body of `announced` bytes and sends `sent`. */
async function received(announced: number, sent: Buffer): Promise<{ request: IncomingMessage }> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${announced}\r\n\r\n`);
  socket.write(sent);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  request.on('error', () => undefined);
  closing.push(
    () => socket.destroy(),
    () => server.close(),
  );
  return { request };
}

it('splits a body into slices of eight KiB, between which other work runs', async () => {
  const body = Buffer.alloc(300 * KIB, 'body');
  const { request } = await received(body.length, body);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const slices: Buffer[] = [];
  const turnOfEach = new Set<number>();
  const sliced = slicesOf(request).on('data', (slice: Buffer) => {
    slices.push(slice);
    turnOfEach.add(turns);
  });
  await once(sliced, 'end');
  isOver = true;
  expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(8 * KIB);
  expect(turnOfEach.size).toBeGreaterThanOrEqual(30);
  expect(Buffer.concat(slices)).toEqual(body);
});

it('waits for its reader, and ends early when the request does', async () => {
  const { request } = await received(900 * KIB, Buffer.alloc(400 * KIB));
  const slices = slicesOf(request);
  const [first] = (await once(slices, 'data')) as [Buffer];
  slices.pause();
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect([first.length, slices.readableLength]).toEqual([8 * KIB, 1]);
  request.destroy();
  await once(slices, 'close');
  expect(slices.readableEnded).toBe(false);
});
