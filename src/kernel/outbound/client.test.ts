import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, TestClock } from '#kernel/clock';
import { insideTransaction } from '#kernel/scope';
import { CERTIFICATE, PRIVATE_KEY } from '../../../test/support/certificate.ts';
import { guardedClient, type Network, type Outbound, operatorClient, type OutboundReason } from './index.ts';

/** What the name servers of the tests know. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'site.test': ['93.184.216.34'],
  'other.test': ['93.184.216.35', '2606:2800:220:1::1'],
  'inside.test': ['10.0.0.7'],
  'loop.test': ['::ffff:127.0.0.1'],
  'both.test': ['93.184.216.34', '127.0.0.1'],
  'empty.test': [],
};

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await once(server.close(), 'close');
  }
});

/** A network in which every public address is one server of the test; it notes what was dialled. */
async function networkOf(server: Server): Promise<Network & { readonly dialled: string[] }> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port: local } = server.address() as AddressInfo;
  const dialled: string[] = [];
  return {
    dialled,
    resolve: async (hostname) => {
      const addresses = NAMES[hostname];
      if (!addresses) throw new Error('no such name');
      return addresses;
    },
    dial: (addresses, port) => {
      dialled.push(`${addresses.join(' ')} ${port}`);
      return connect({ host: '127.0.0.1', port: local });
    },
  };
}

const options = { clock: systemClock, userAgent: 'Roost test' };

async function guardedWith(answer: Answer) {
  const network = await networkOf(createServer((request, response) => void answer(request, response)));
  return { network, client: guardedClient({ ...options, network, isOwnHost: (name) => name === 'other.test' }) };
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function connections(server: Server | undefined): Promise<unknown> {
  return promisify((done: (error: Error | null, count: number) => void) => server?.getConnections(done))();
}

async function reasonOf(work: Promise<unknown>): Promise<OutboundReason | undefined> {
  return work.then(
    () => undefined,
    (error: { name: string; reason: OutboundReason }) => {
      expect(error.name).toBe('OutboundFault');
      return error.reason;
    },
  );
}

describe('the guarded client', () => {
  it('gives status, headers, address and body', async () => {
    const { client, network } = await guardedWith((request, response) => {
      expect(request.headers).toMatchObject({
        host: 'site.test:8080',
        'user-agent': 'Roost test',
        accept: 'text/html',
      });
      expect(request.method).toBe('GET');
      expect(request.url).toBe('/a?b=1');
      response.writeHead(404, { 'x-two': ['1', '2'], 'set-cookie': 'a=b' }).end('not here');
    });
    const reply = await client.fetch({ url: 'http://site.test:8080/a?b=1#c', headers: { Accept: 'text/html' } });
    expect(reply).toMatchObject({ status: 404, url: 'http://site.test:8080/a?b=1' });
    expect(reply.body.toString()).toBe('not here');
    expect(reply.headers.get('x-two')).toBe('1, 2');
    expect(reply.headers.has('set-cookie')).toBe(false);
    expect(network.dialled).toEqual(['93.184.216.34 8080']);
  });

  it('posts a body', async () => {
    const { client } = await guardedWith(async (request, response) => {
      expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '7' });
      response.end(`${request.method} ${(await buffer(request)).toString()}`);
    });
    const headers = { 'content-type': 'application/json' };
    const reply = await client.fetch({ url: 'http://site.test', headers, body: '{"a":1}' });
    expect(reply.body.toString()).toBe('POST {"a":1}');
  });

  it('turns a name and password in the address into a header, and does not repeat them', async () => {
    const { client } = await guardedWith((request, response) => response.end(request.headers.authorization));
    const reply = await client.fetch({ url: 'http://me:p%40ss@site.test/' });
    expect(Buffer.from(reply.body.toString().slice(6), 'base64').toString()).toBe('me:p@ss');
    expect(reply.url).toBe('http://site.test/');
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://①②⑦.0.0.1/',
    'http://10.1/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:7f00:1::]/',
    'http://inside.test/',
    'http://loop.test/',
    'http://both.test/',
    'https://inside.test/',
    'http://site.test@127.0.0.1/',
    'http://127.0.0.1\\@site.test/',
  ])('makes no connection for %s (security#holes, row 28)', async (url) => {
    const { client, network } = await guardedWith((_request, response) => response.end());
    expect(await reasonOf(client.fetch({ url }))).toBe('forbidden');
    expect(network.dialled).toEqual([]);
    await client.fetch({ url: 'http://site.test' });
    expect(network.dialled).toHaveLength(1);
  });

  it.each(['http://other.test/api', 'http://OTHER.test./../api/v1/users', 'https://other.test'])(
    'makes no call of its own server by %s (security#holes, row 30)',
    async (url) => {
      const { client, network } = await guardedWith((_request, response) => response.end());
      expect(await reasonOf(client.fetch({ url }))).toBe('forbidden');
      expect(network.dialled).toEqual([]);
    },
  );

  it.each([
    '',
    'site.test',
    '/path',
    'ftp://site.test',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    'gopher://site.test',
    'http://',
    'http://site.test:25',
    'http://site.test:22',
    'https://site.test:1023',
    'http://site.test:99999',
    `http://site.test/${'a'.repeat(8_200)}`,
  ])('refuses the address %.40s', async (url) => {
    const { client, network } = await guardedWith((_request, response) => response.end());
    expect(await reasonOf(client.fetch({ url }))).toBe('address');
    expect(network.dialled).toEqual([]);
  });

  it('resolves a name once and dials what it checked: a name that changes meanwhile changes nothing', async () => {
    const network = await networkOf(createServer((_request, response) => response.end('public')));
    let asked = 0;
    const rebinding = { ...network, resolve: async () => (asked++ === 0 ? ['93.184.216.34'] : ['127.0.0.1']) };
    const client = guardedClient({ ...options, network: rebinding });
    const url = 'http://rebind.test';
    expect((await client.fetch({ url })).body.toString()).toBe('public');
    expect(asked).toBe(1);
    expect(await reasonOf(client.fetch({ url }))).toBe('forbidden');
    expect(network.dialled).toEqual(['93.184.216.34 80']);
  });

  it.each(['http://empty.test', 'http://unknown.test'])('does not know the name in %s', async (url) => {
    const { client } = await guardedWith((_request, response) => response.end());
    expect(await reasonOf(client.fetch({ url }))).toBe('name');
  });

  it('opens a private network that the operator allows, and no other', async () => {
    const network = await networkOf(createServer((_request, response) => response.end('inside')));
    const client = guardedClient({ ...options, network, allowedNetworks: ['10.0.0.0/24'] });
    expect((await client.fetch({ url: 'http://inside.test' })).body.toString()).toBe('inside');
    expect(await reasonOf(client.fetch({ url: 'http://10.0.1.1' }))).toBe('forbidden');
    expect(await reasonOf(client.fetch({ url: 'http://loop.test' }))).toBe('forbidden');
  });
});

describe('a redirect', () => {
  function redirecting(status: number, location: string, seen: IncomingMessage[] = []): Answer {
    return (request, response) => {
      seen.push(request);
      if (request.url === '/from') response.writeHead(status, { location }).end('moved');
      else response.end(`${request.method} ${request.headers.host}${request.url}`);
    };
  }

  it.each([301, 302, 303, 307, 308])('%i is followed', async (status) => {
    const { client, network } = await guardedWith(redirecting(status, '/to?x#y'));
    const reply = await client.fetch({ url: 'http://site.test/from' });
    expect(reply).toMatchObject({ status: 200, url: 'http://site.test/to?x' });
    expect(reply.body.toString()).toBe('GET site.test/to?x');
    expect(network.dialled).toHaveLength(2);
  });

  it.each([
    ['http://127.0.0.1/', 'forbidden'],
    ['http://[::ffff:169.254.169.254]/', 'forbidden'],
    ['//0x7f.1/', 'forbidden'],
    ['http://inside.test/', 'forbidden'],
    ['http://other.test/', 'forbidden'],
    ['file:///etc/passwd', 'address'],
    ['http://site.test:25/', 'address'],
    ['http://unknown.test/', 'name'],
  ])('to %s is refused before a connection is made (security#holes, row 28)', async (location, reason) => {
    const { client, network } = await guardedWith(redirecting(302, location));
    expect(await reasonOf(client.fetch({ url: 'http://site.test/from' }))).toBe(reason);
    expect(network.dialled).toEqual(['93.184.216.34 80']);
  });

  it('is followed as often as allowed', async () => {
    const { client, network } = await guardedWith((_request, response) => {
      response.writeHead(302, { location: '/again' }).end();
    });
    expect(await reasonOf(client.fetch({ url: 'http://site.test/' }))).toBe('redirects');
    expect(network.dialled).toHaveLength(6);
    expect(await reasonOf(client.fetch({ url: 'http://site.test/', maxRedirects: 0 }))).toBe('redirects');
    expect(network.dialled).toHaveLength(7);
  });

  it('makes a GET of a POST, except where it must not', async () => {
    const seen: IncomingMessage[] = [];
    const { client } = await guardedWith(redirecting(302, '/to', seen));
    const headers = { 'content-type': 'text/plain', authorization: 'secret' };
    await client.fetch({ url: 'http://site.test/from', body: 'x', headers });
    expect(seen[1]).toMatchObject({ method: 'GET', headers: { authorization: 'secret' } });
    expect(seen[1]?.headers).not.toHaveProperty('content-type');
    const faithful = await guardedWith(redirecting(307, '/to'));
    const reply = await faithful.client.fetch({ url: 'http://site.test/from', body: 'x' });
    expect(reply.body.toString()).toBe('POST site.test/to');
  });

  it('carries neither credentials nor a body to another origin', async () => {
    const seen: IncomingMessage[] = [];
    const headers = { authorization: 'secret', cookie: 'a=b', accept: '*/*' };
    const { client } = await guardedWith(redirecting(302, 'http://site.test:8080/to', seen));
    await client.fetch({ url: 'http://site.test/from', headers });
    expect(seen[0]?.headers).toMatchObject(headers);
    expect(seen[1]?.headers).toMatchObject({ accept: '*/*' });
    expect(seen[1]?.headers).not.toHaveProperty('authorization');
    expect(seen[1]?.headers).not.toHaveProperty('cookie');
    const faithful = await guardedWith(redirecting(308, 'http://site.test:8080/to'));
    expect(await reasonOf(faithful.client.fetch({ url: 'http://site.test/from', body: 'x' }))).toBe('redirects');
  });
});

describe('the bounds of a request', () => {
  it('end a reply that is larger than it may be, told or untold', async () => {
    const { client } = await guardedWith((request, response) => {
      if (request.url === '/told') response.setHeader('content-length', 11);
      response.write('01234');
      response.end('567890');
    });
    for (const url of ['http://site.test/told', 'http://site.test/untold']) {
      expect((await client.fetch({ url, maxBytes: 11 })).body).toHaveLength(11);
      expect(await reasonOf(client.fetch({ url, maxBytes: 10 }))).toBe('size');
    }
    expect((await client.fetch({ url: 'http://site.test/told', maxBytes: 0, method: 'HEAD' })).status).toBe(200);
  });

  it.each(['headers', 'body'])('end a reply whose %s take too long', async (what) => {
    const clock = new TestClock();
    const arrived = deferred();
    const network = await networkOf(
      createServer((_request, response) => {
        if (what === 'body') response.write('some');
        arrived.resolve();
      }),
    );
    const client = guardedClient({ ...options, clock, network });
    const reason = reasonOf(client.fetch({ url: 'http://site.test', timeoutMs: 5_000 }));
    await arrived.promise;
    clock.advance(4_999);
    clock.advance(1);
    expect(await reason).toBe('time');
  });

  it('end a name server that does not answer', async () => {
    const clock = new TestClock();
    const asked = deferred();
    const resolve: Network['resolve'] = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const network = { ...(await networkOf(createServer())), resolve };
    const reason = reasonOf(guardedClient({ ...options, clock, network }).fetch({ url: 'http://site.test' }));
    await asked.promise;
    clock.advance(10_000);
    expect(await reason).toBe('time');
    expect(network.dialled).toEqual([]);
  });

  it('refuse a packed reply', async () => {
    const { client } = await guardedWith((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(1_000_000)));
    });
    expect(await reasonOf(client.fetch({ url: 'http://site.test' }))).toBe('encoding');
  });

  it('hold for a stream too, whose connection ends when it is destroyed', async () => {
    const { client, network } = await guardedWith((_request, response) => {
      response.write(Buffer.alloc(100_000));
    });
    const reply = await client.open({ url: 'http://site.test', maxBytes: 99_999 });
    expect(await reasonOf(buffer(reply.body))).toBe('size');
    const second = await client.open({ url: 'http://site.test' });
    second.body.destroy();
    await once(second.body, 'close');
    expect(network.dialled).toHaveLength(2);
    await expect.poll(() => connections(servers[0])).toBe(0);
  });

  it('name a connection that breaks', async () => {
    const { client } = await guardedWith((request, response) => {
      if (request.url === '/late') response.writeHead(200, { 'content-length': 10 }).write('half');
      setImmediate(() => request.destroy());
    });
    expect(await reasonOf(client.fetch({ url: 'http://site.test/' }))).toBe('network');
    expect(await reasonOf(client.fetch({ url: 'http://site.test/late' }))).toBe('network');
  });

  it('name what is not HTTP', async () => {
    const { client } = await guardedWith((_request, response) => response.socket?.end('SSH-2.0-OpenSSH\r\n'));
    expect(await reasonOf(client.fetch({ url: 'http://site.test' }))).toBe('network');
  });

  it('end a reply in more pieces than it could need, which would take two hundred times its memory', async () => {
    const { client } = await guardedWith(({ url, socket }) => {
      const pieces = '1\r\na\r\n'.repeat(url === '/few' ? 500 : 10_000);
      socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`);
    });
    const maxBytes = 20_000;
    expect((await client.fetch({ url: 'http://site.test/few', maxBytes })).body).toHaveLength(500);
    expect(await reasonOf(client.fetch({ url: 'http://site.test/many', maxBytes }))).toBe('size');
  });

  it('end interim replies without end, and sooner than by time', async () => {
    const { client } = await guardedWith(({ url, socket }) => {
      const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(url === '/few' ? 10 : 100);
      socket.write(url === '/few' ? `${interim}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nhere` : interim);
    });
    expect((await client.fetch({ url: 'http://site.test/few' })).body.toString()).toBe('here');
    expect(await reasonOf(client.fetch({ url: 'http://site.test/many' }))).toBe('network');
  });

  it('end a reply in another protocol, and sooner than by time', async () => {
    const { client } = await guardedWith(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nx');
    });
    expect(await reasonOf(client.fetch({ url: 'http://site.test' }))).toBe('network');
    await expect.poll(() => connections(servers[0])).toBe(0);
  });

  it('refuse a header that would become two', async () => {
    const { client, network } = await guardedWith((_request, response) => response.end());
    const headers = { 'x-name': 'a\r\nx-evil: 1' };
    expect(await reasonOf(client.fetch({ url: 'http://site.test', headers }))).toBe('network');
    expect(network.dialled).toEqual([]);
  });

  it('keep it out of transactions', async () => {
    const { client } = await guardedWith((_request, response) => response.end());
    await insideTransaction(async () => {
      await expect(client.fetch({ url: 'http://site.test' })).rejects.toThrow('must not run inside a transaction');
    });
  });
});

describe('a secure connection', () => {
  async function clientWith(authorities: readonly string[]): Promise<Outbound> {
    const server = createSecureServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_request, response) =>
      response.end('safe'),
    );
    return guardedClient({ ...options, authorities, network: await networkOf(server) });
  }

  it('is made with a certificate of a known authority for that name', async () => {
    const client = await clientWith([CERTIFICATE]);
    expect((await client.fetch({ url: 'https://site.test' })).body.toString()).toBe('safe');
    expect(await reasonOf(client.fetch({ url: 'https://other.test' }))).toBe('network');
    expect(await reasonOf(client.fetch({ url: 'https://93.184.216.34' }))).toBe('network');
  });

  it.each([[[CERTIFICATE]], [[]]])('offers no key exchange in a group of the other side', async (authorities) => {
    const hellos: Buffer[] = [];
    const host = createServer();
    host.on('connection', (socket) => socket.once('data', (hello) => hellos.push(hello) && socket.destroy()));
    const client = guardedClient({ ...options, authorities, network: await networkOf(host) });
    expect(await reasonOf(client.fetch({ url: 'https://site.test' }))).toBe('network');
    const { suites, groups } = offersOf(hellos[0] ?? Buffer.alloc(0));
    expect(suites).toContain(0xc02f);
    // DHE with RSA, in TLS 1.2 (RFC 5246, 5288, 7905).
    expect(suites.filter((suite) => [0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xccaa].includes(suite))).toEqual([]);
    expect(groups).toContain(0x1d);
    // ffdhe2048 to ffdhe8192, in TLS 1.3 (RFC 7919).
    expect(groups.filter((group) => group >= 0x100)).toEqual([]);
  });

  it('is not made with one of nobody', async () => {
    const client = await clientWith([]);
    expect(await reasonOf(client.fetch({ url: 'https://site.test' }))).toBe('network');
  });
});

describe('a connection that is left open', () => {
  const url = 'https://site.test/';
  async function reusing(answer: Answer) {
    const secure = createSecureServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (request, response) =>
      answer(request, response),
    );
    const network = await networkOf(secure);
    return { network, secure, client: guardedClient({ ...options, authorities: [CERTIFICATE], network }) };
  }

  it('carries the next request to the same host, where that is asked for', async () => {
    const { client, network } = await reusing(async (request, response) => {
      response.end(`got ${(await buffer(request)).toString()}`);
    });
    for (const body of ['one', 'two', 'three'])
      expect((await client.fetch({ url, body, isReusing: true })).body.toString()).toBe(`got ${body}`);
    expect(network.dialled).toEqual(['93.184.216.34 443']);
    await client.fetch({ url });
    await client.fetch({ url: `${url.slice(0, -1)}:8443/`, isReusing: true });
    expect(network.dialled).toEqual(['93.184.216.34 443', '93.184.216.34 443', '93.184.216.34 8443']);
  });

  it('is of no use to another host: neither its certificate nor its addresses were looked at', async () => {
    const { client } = await reusing((_request, response) => response.end());
    await client.fetch({ url, isReusing: true });
    expect(await reasonOf(client.fetch({ url: 'https://inside.test/', isReusing: true }))).toBe('forbidden');
    expect(await reasonOf(client.fetch({ url: 'https://other.test/', isReusing: true }))).toBe('network');
  });

  it('needs no look-up of a name: what was looked up is what was dialled', async () => {
    const { network } = await reusing((_request, response) => response.end());
    const asked: string[] = [];
    const counting: Network = {
      ...network,
      resolve: (hostname, signal) => {
        asked.push(hostname);
        return network.resolve(hostname, signal);
      },
    };
    const client = guardedClient({ ...options, authorities: [CERTIFICATE], network: counting });
    for (let requests = 0; requests < 3; requests++) await client.fetch({ url, isReusing: true });
    expect(asked).toHaveLength(1);
    await client.fetch({ url });
    expect(asked).toHaveLength(2);
    expect(await reasonOf(client.fetch({ url: 'https://127.0.0.1/', isReusing: true }))).toBe('forbidden');
  });

  it('that the other side has closed meanwhile is replaced, once', async () => {
    let requests = 0;
    const { client, network } = await reusing((request, response) => {
      // It hangs up when it reads the second request, as one does whose patience has just ended.
      if (++requests === 2) request.socket.destroy();
      else response.end('here');
    });
    for (let sent = 0; sent < 2; sent++)
      expect((await client.fetch({ url, body: 'x', isReusing: true })).body.toString()).toBe('here');
    expect([requests, network.dialled.length]).toEqual([3, 2]);
  });

  it('carries no request again of whose answer something came', async () => {
    let requests = 0;
    const { client, network } = await reusing((_request, response) => {
      if (++requests === 1) return void response.end('here');
      response.writeHead(200, { 'content-length': 10 }).write('half');
    });
    const dialled: Socket[] = [];
    const dial = network.dial.bind(network);
    Object.assign(network, {
      dial: (...place: Parameters<typeof dial>) => {
        const socket = dial(...place);
        dialled.push(socket);
        return socket;
      },
    });
    await client.fetch({ url, body: 'x', isReusing: true });
    const reply = await client.open({ url, body: 'x', isReusing: true });
    dialled[0]?.destroy(new Error('reset'));
    expect(await reasonOf(buffer(reply.body))).toBe('network');
    expect([requests, dialled.length]).toEqual([2, 1]);
  });

  it('ends with a reply that is too large or too late', async () => {
    const { client, network, secure } = await reusing((_request, response) => {
      response.write(Buffer.alloc(2_000));
    });
    expect(await reasonOf(client.fetch({ url, maxBytes: 1_000, isReusing: true }))).toBe('size');
    expect(await reasonOf(client.fetch({ url, timeoutMs: 50, isReusing: true }))).toBe('time');
    expect(network.dialled).toHaveLength(2);
    await expect.poll(() => connections(secure)).toBe(0);
  });
});

describe("the operator's client", () => {
  it('goes to a private address, with the same bounds, and follows no redirect unless told to', async () => {
    const network = await networkOf(
      createServer((request, response) => {
        if (request.url === '/from') response.writeHead(302, { location: 'http://127.0.0.1:9/to' });
        response.end('0123456789');
      }),
    );
    const client = operatorClient({ ...options, network });
    expect((await client.fetch({ url: 'http://inside.test' })).body.toString()).toBe('0123456789');
    expect(await reasonOf(client.fetch({ url: 'http://inside.test', maxBytes: 9 }))).toBe('size');
    expect(await reasonOf(client.fetch({ url: 'http://inside.test/from' }))).toBe('redirects');
    expect((await client.fetch({ url: 'http://127.0.0.1:9/from', maxRedirects: 1 })).status).toBe(200);
  });

  it('reaches a server of this machine by its name', async () => {
    const server = createServer((_request, response) => response.end('really'));
    await networkOf(server);
    const { port } = server.address() as AddressInfo;
    const client = operatorClient(options);
    expect((await client.fetch({ url: `http://localhost:${port}` })).body.toString()).toBe('really');
    const guarded = guardedClient(options);
    expect(await reasonOf(guarded.fetch({ url: `http://127.0.0.1:${port}` }))).toBe('forbidden');
  });
});

/** The cipher suites and groups that a TLS client offers in its first message (RFC 8446 §4.1.2). */
function offersOf(hello: Buffer) {
  const numbers = (from: number, bytes: number) =>
    Array.from({ length: bytes / 2 }, (_, index) => hello.readUInt16BE(from + 2 * index));
  // Headers of the record and of the message, version, random; then the session's ID with its length.
  const at = 5 + 4 + 2 + 32 + 1 + hello.readUInt8(43);
  const suites = numbers(at + 2, hello.readUInt16BE(at));
  const compressions = at + 2 + 2 * suites.length;
  let extension = compressions + 1 + hello.readUInt8(compressions) + 2;
  while (hello.readUInt16BE(extension) !== 10) extension += 4 + hello.readUInt16BE(extension + 2);
  return { suites, groups: numbers(extension + 6, hello.readUInt16BE(extension + 4)) };
}
