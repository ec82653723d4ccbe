import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { openMetrics } from '#kernel/metrics';
import { openFramework } from '../framework.ts';
import { Proxies } from '../proxies.ts';
import { Portions } from './portions.ts';
import { Traffic } from './traffic.ts';

/** Counts calls per turn of the event loop; calls at the beginning of the next turn may be included. */
class Turns {
  most = 0;
  total = 0;
  #now = 0;

  count(): void {
    if (this.#now === 0) setImmediate(() => (this.#now = 0));
    this.total++;
    this.most = Math.max(this.most, ++this.#now);
  }
}

describe('tasks in portions', () => {
  it('run in order, and at most a given number in one turn', async () => {
    const portions = new Portions(3);
    const turns = new Turns();
    const done: number[] = [];
    for (let number = 0; number < 8; number++)
      portions.do(() => {
        turns.count();
        done.push(number);
      });
    expect(done).toEqual([0, 1, 2]);
    while (done.length < 8) await new Promise(setImmediate);
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(turns.most).toBeLessThanOrEqual(2 * 3);
  });
});

describe('a hundred connections at once', () => {
  const turns = new Turns();
  let traffic: Traffic;
  let framework: ReturnType<typeof openFramework>;
  let sockets: Socket[] = [];

  beforeEach(async () => {
    turns.total = turns.most = 0;
    const bounds = { maxConnections: 1000, maxConnectionsPerAddress: 1000 };
    const context = { clock: new TestClock(), metrics: openMetrics() };
    traffic = new Traffic({ bounds, proxies: new Proxies([]), context });
    framework = openFramework({
      traffic,
      isEncrypted: () => false,
      serve: (request, response) => {
        turns.count();
        if (request.url === '/let-in') traffic.know(request);
        response.end();
      },
    });
    await framework.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = framework.app.server.address() as { port: number };
    sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').resume());
    while ((await count(framework.app.server)) < sockets.length) await new Promise(setImmediate);
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await framework.close();
  });

  it('are ended by sixteen per turn of the event loop when they break', async () => {
    const isAnswering = traffic.isAnswering.bind(traffic);
    // Called once for each connection that is ended.
    traffic.isAnswering = (socket: Socket) => {
      turns.count();
      return isAnswering(socket);
    };
    // Incomplete headers, so that no request begins.
    for (const socket of sockets) socket.end('GET / HTTP/1.1\r\nHost: lo');
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    expect(turns.total).toBe(sockets.length);
    expect(turns.most).toBeLessThanOrEqual(2 * 16);
  });

  it('begin eight requests per turn, and all at once after each has had an authenticated request', async () => {
    const ask = async (path: string) => {
      turns.total = turns.most = 0;
      const answers = sockets.map((socket) => once(socket, 'data'));
      for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await Promise.all(answers);
      expect(turns.total).toBe(sockets.length);
      return turns.most;
    };
    expect(await ask('/let-in')).toBeLessThanOrEqual(2 * 8);
    expect(await ask('/')).toBeGreaterThan(2 * 8);
  });
});

/** Number of a server's connections. */
function count(server: { getConnections: (done: (error: Error | null, count: number) => void) => void }) {
  return new Promise<number>((resolve) => server.getConnections((_error, number) => resolve(number)));
}
