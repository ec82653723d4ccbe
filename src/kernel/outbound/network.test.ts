import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorNetwork, publicNetwork } from './network.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;
const REFUSED = 5;

/** Answers of the tests' name server, by name and type: addresses as bytes, or a code. None: it says nothing. */
const ANSWERS: Readonly<Record<string, readonly number[][] | number>> = {
  [`two.test ${TYPE_A}`]: [
    [93, 184, 216, 34],
    [93, 184, 216, 35],
  ],
  [`two.test ${TYPE_AAAA}`]: [[0x20, 1, 0x48, 0x60, ...Array<number>(11).fill(0), 1]],
  [`four.test ${TYPE_A}`]: [[127, 0, 0, 1]],
  [`four.test ${TYPE_AAAA}`]: [],
  [`gone.test ${TYPE_A}`]: NO_SUCH_NAME,
  [`gone.test ${TYPE_AAAA}`]: NO_SUCH_NAME,
  [`broken.test ${TYPE_A}`]: [[8, 8, 8, 8]],
  [`broken.test ${TYPE_AAAA}`]: REFUSED,
};

/** A reply in the form of RFC 1035 §4.1 to a query of one name. */
function replyTo(query: Buffer): Buffer | undefined {
  const end = query.indexOf(0, 12);
  const name = query.subarray(13, end).toString('latin1').replaceAll(/\W/g, '.').toLowerCase();
  const type = query.readUInt16BE(end + 1);
  const answer = ANSWERS[`${name} ${type}`];
  if (answer === undefined) return undefined;
  const [records, code] = typeof answer === 'number' ? [[], answer] : [answer, 0];
  const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]);
  const rows = records.map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]));
  return Buffer.concat([header, query.subarray(12, end + 5), ...rows]);
}

describe('the public network', () => {
  let names: Socket;
  let nameServers: string[];
  const never = new AbortController().signal;

  beforeAll(async () => {
    names = createSocket('udp4');
    names.on('message', (query, from) => {
      const reply = replyTo(query);
      if (reply) names.send(reply, from.port, from.address);
      else names.emit('unanswered');
    });
    names.bind(0, '127.0.0.1');
    await once(names, 'listening');
    nameServers = [`127.0.0.1:${names.address().port}`];
  });
  afterAll(() => {
    names.close();
  });

  it('knows all addresses of a name', async () => {
    const network = publicNetwork(nameServers);
    expect(await network.resolve('two.test', never)).toEqual(['2001:4860::1', '93.184.216.34', '93.184.216.35']);
    expect(await network.resolve('four.test', never)).toEqual(['127.0.0.1']);
    expect(await network.resolve('gone.test', never)).toEqual([]);
  });

  it('trusts no half answer: the other half might be a private address', async () => {
    await expect(publicNetwork(nameServers).resolve('broken.test', never)).rejects.toThrow('EREFUSED');
  });

  it('stops asking when the request is given up', async () => {
    const controller = new AbortController();
    const asked = once(names, 'unanswered');
    const resolved = publicNetwork(nameServers).resolve('silent.test', controller.signal);
    await asked;
    controller.abort();
    await expect(resolved).rejects.toThrow('ECANCELLED');
  });
});

describe('a connection', () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => once(server.close(), 'close'));

  it.each([[['127.0.0.1']], [['::1', '127.0.0.1']], [['127.0.0.2', '127.0.0.1']]])(
    'is made to one of %j',
    async (addresses) => {
      const socket = publicNetwork().dial(addresses, port);
      const [bytes] = await once(socket, 'data');
      expect(String(bytes)).toBe('hello');
      expect(socket.remoteAddress).toBe('127.0.0.1');
      socket.destroy();
    },
  );

  it('is not made to another address when these do not answer', async () => {
    const socket = operatorNetwork.dial(['127.0.0.2', '127.0.0.3'], port);
    await expect(once(socket, 'connect')).rejects.toThrow();
    expect(socket.remoteAddress).toBeUndefined();
  });
});
