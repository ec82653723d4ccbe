import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { type Production, startProduction } from '../support/production.ts';
import { lines, openRaw } from '../support/raw-connection.ts';

const HOST = 'Host: localhost\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded\n';
const CHUNKED = 'Transfer-Encoding: chunked\n';
const get = (fields: string) => lines(`GET /health HTTP/1.1\n${fields}\n`);
const post = (fields: string, body: string, version = '1.1') =>
  lines(`POST /api/v1/fetch_api_key HTTP/${version}\n${HOST}${FORM}${fields}\n`) + body;
const EMPTY = '0\r\n\r\n';
/** Large answers that are asked for on one connection. */
const ANSWERS = 16;

/** What no proxy and no server read alike: where it goes, who sent it, or where its body ends. RFC 9112 3.2, 5.1, 5.2, 6.1, 6.3, 7.1; RFC 9110 5.3. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  'no host': get(''),
  'two hosts': get(`${HOST}Host: evil.test\n`),
  'the same host twice': get(`${HOST}hOST: localhost\n`),
  'a host with a path': get('Host: localhost/evil\n'),
  'a host with a name of somebody': get('Host: localhost@evil.test\n'),
  'a host with a blank': get('Host: localhost evil.test\n'),
  'two hosts in one field': get('Host: localhost, evil.test\n').replace(', ', ',\\'),
  'a host with a port that is none': get('Host: localhost:80x\n'),
  'a host that is no address': get('Host: [::1\n'),
  'a host of other letters': get('Host: l\u00f6calhost\n'),
  'two credentials': get(`${HOST}Authorization: Basic YTpi\nAuthorization: Basic Yzpk\n`),
  'two types of a body': post('Content-Type: application/json\nContent-Length: 0\n', ''),
  'two lengths': post('Content-Length: 1\nContent-Length: 2\n', 'aa'),
  'the same length twice': post('Content-Length: 1\nContent-Length: 1\n', 'a'),
  'lengths in one field': post('Content-Length: 1, 1\n', 'a'),
  'a length with a sign': post('Content-Length: +1\n', 'a'),
  'a length and chunks': post(`Content-Length: 5\n${CHUNKED}`, EMPTY),
  'chunks and a length': post(`${CHUNKED}Content-Length: 5\n`, EMPTY),
  'chunks twice': post(`${CHUNKED}${CHUNKED}`, EMPTY),
  'chunks, and not': post(`${CHUNKED}Transfer-Encoding: identity\n`, EMPTY),
  'chunks within something else': post('Transfer-Encoding: identity, chunked\n', EMPTY),
  'chunks within what is packed': post('Transfer-Encoding: gzip, chunked\n', EMPTY),
  'something like chunks': post('Transfer-Encoding: xchunked\n', EMPTY),
  'chunks with another blank': post('Transfer-Encoding: \u000bchunked\n', EMPTY),
  'a blank before the colon': post('Transfer-Encoding : chunked\n', EMPTY),
  'a field of two lines': post('Transfer-Encoding:\n chunked\n', EMPTY),
  'a field of two lines that means nothing': get(`${HOST}X-A: b\n c\n`),
  'a line of blanks before all fields': get(` X-A: b\n${HOST}`),
  'chunks in HTTP/1.0': post(CHUNKED, EMPTY, '1.0'),
  'lines that end by LF': 'GET /health HTTP/1.1\nHost: localhost\n\n',
  'a line that ends by LF': 'GET /health HTTP/1.1\r\nHost: localhost\nX-A: b\r\n\r\n',
  'a line that ends by CR': 'GET /health HTTP/1.1\r\nHost: localhost\rX-A: b\r\n\r\n',
  'a field with NUL': get(`${HOST}X-A: b\0c\n`),
  'an extension of a chunk that ends by LF': post(CHUNKED, `1;a\na\r\n${EMPTY}`),
  'chunks that end by LF': post(CHUNKED, '1\na\n0\n\n'),
  'a chunk longer than it says': post(CHUNKED, `1\r\nab\r\n${EMPTY}`),
  'a chunk whose size is not hexadecimal': post(CHUNKED, `0x1\r\na\r\n${EMPTY}`),
  'a chunk whose size has a blank': post(CHUNKED, `1 \r\na\r\n${EMPTY}`),
  'a chunk whose size is too large for a number': post(CHUNKED, `10000000000000001\r\na\r\n${EMPTY}`),
};

const CLEAR: Readonly<Record<string, string>> = {
  'a host': get(HOST),
  'a host with a port': get('hOST: localhost:9991\n'),
  'an address of IPv6': get('Host: [::1]:9991\n'),
  'no host in HTTP/1.0': lines('GET /health HTTP/1.0\nConnection: keep-alive\n\n'),
  'two cookies': get(`${HOST}Cookie: a=b\nCookie: c=d\n`),
  'fields that are lists, twice': get(`${HOST}Accept: text/html\nAccept: text/plain\nVia: a\nVia: b\n`),
  chunks: post('Transfer-Encoding: Chunked\n', `1;a=b\r\na\r\n${EMPTY}`),
  'a length': post('Content-Length: 1\n', 'a'),
};

describe.each(databasesInTurn(import.meta.url))('a request that two could read in two ways, on %s', (name) => {
  let production: Production;
  beforeAll(async () => {
    production = await startProduction(name);
  });
  afterAll(() => production.stop());

  /** Statuses of all answers to some bytes, and to a request behind them. */
  const statusesOf = async (bytes: string, from: string) => {
    const connection = openRaw(production.port, from);
    // In one piece: a connection that ends while more arrives may lose its answer.
    connection.socket.write(bytes + lines(`GET /health HTTP/1.1\n${HOST}Connection: close\n\n`), 'latin1');
    const answer = await connection.closed;
    return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]));
  };

  it.each(Object.entries(AMBIGUOUS))('is refused, and ends its connection: %s', async (_what, bytes) => {
    expect(await statusesOf(bytes, '127.0.1.1')).toEqual([400]);
  });

  it.each(Object.entries(CLEAR))('is taken where there is one way: %s', async (_what, bytes) => {
    const [first, ...behind] = await statusesOf(bytes, '127.0.1.2');
    expect(first).not.toBe(bytes.startsWith('GET') ? 400 : 404);
    expect(behind).toEqual([200]);
  });

  it('is told so in the words of the API', async () => {
    const connection = openRaw(production.port, '127.0.1.3');
    connection.write('GET /api/v1/server_settings HTTP/1.1\n\n');
    expect(await connection.closed).toMatch(/"msg":"Malformed request","code":"BAD_REQUEST"/);
  });

  it('writes no refusal into an answer that is on its way', async () => {
    const connection = openRaw(production.port, '127.0.1.5');
    // Far more than the sockets hold, so that an answer is on its way for as long as nobody reads.
    connection.write(`GET /api/v1/openapi.json HTTP/1.1\n${HOST}\n`.repeat(ANSWERS));
    await connection.until('\r\n\r\n');
    connection.socket.pause();
    connection.write('\0\n\n');
    await pause(500);
    connection.socket.resume();
    const heads = /HTTP\/1\.1 \d+.*?\r\n\r\n/gs;
    const answers = await connection.closed;
    let count = 0;
    for (let head = heads.exec(answers); head; head = heads.exec(answers)) {
      const length = Number(/^content-length: (\d+)/im.exec(head[0])?.[1]);
      count++;
      expect(answers.slice(heads.lastIndex, heads.lastIndex + length)).not.toContain('HTTP/1.1');
      heads.lastIndex += length;
    }
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(ANSWERS);
    expect((await fetch(`http://127.0.0.1:${production.port}/health`)).status).toBe(200);
  });

  it('takes trailers of chunks for nothing that was said in the head', async () => {
    const connection = openRaw(production.port, '127.0.1.4');
    const trailers = lines(`0\nHost: evil.test\nAuthorization: ${production.authorization}\n\n`);
    connection.socket.write(lines(`POST /api/v1/users/me/status HTTP/1.1\n${HOST}Connection: close\n${CHUNKED}\n`));
    connection.socket.write(trailers);
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 401 /);
  });
});
