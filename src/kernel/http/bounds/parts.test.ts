import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { isLarge, writeInParts } from './parts.ts';

const MIB = 2 ** 20;
const PEOPLE = 20;
/** Most bytes written in one turn: 512 KiB, up to one part more, and the headers. */
const TURN_BYTES = 0.75 * MIB;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The responses of `people` requests that have arrived and wait for a reply. */
async function asked(people: number): Promise<{ responses: ServerResponse[]; sockets: Socket[] }> {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
    if (responses.length === people) server.emit('all');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: people }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  }
  await once(server, 'all');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { responses, sockets };
}

function answer(response: ServerResponse, pieces: readonly (string | Buffer)[]): void {
  response.writeHead(200, { 'content-length': pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0) });
  writeInParts(response, pieces, () => void response.end());
}

it('writes a bounded part of all large bodies together in one turn of the event loop', async () => {
  const { responses, sockets } = await asked(PEOPLE);
  for (const socket of sockets) socket.pause();
  const body = Buffer.alloc(2 * MIB, 'x');
  const taking = responses.map(({ socket }) => socket);
  const given = () => taking.reduce((sum, socket) => sum + (socket?.bytesWritten ?? 0), 0);
  for (const response of responses) answer(response, [body]);
  let most = 0;
  for (let before = given(), turn = 0; turn < 200; turn++) {
    await new Promise(setImmediate);
    most = Math.max(most, given() - before);
    before = given();
  }
  expect(given()).toBeGreaterThan(PEOPLE * 100_000);
  expect(most).toBeLessThan(TURN_BYTES);
});

it('sends every client the whole body in order, whatever pieces it consists of', async () => {
  const { responses, sockets } = await asked(3);
  const pieces = [
    'aä',
    Buffer.alloc(300_000, 'b'),
    Buffer.alloc(0),
    ...Array.from({ length: 500 }, (_, n) => `${n},`.repeat(200)),
  ];
  const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  expect(isLarge(pieces)).toBe(true);
  const [gone, ...others] = responses;
  const got = sockets.map((socket) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    return once(socket, 'close').then(() => Buffer.concat(chunks));
  });
  for (const response of responses) answer(response, pieces);
  // A client that disconnects does not delay the others.
  gone?.destroy();
  expect(others).toHaveLength(2);
  const bodies = (await Promise.all(got)).map((bytes) => bytes.subarray(bytes.indexOf('\r\n\r\n') + 4));
  expect(bodies.filter((bytes) => bytes.equals(whole))).toHaveLength(2);
});
