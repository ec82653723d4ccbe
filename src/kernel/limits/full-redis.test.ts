import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { TestClock } from '#kernel/clock';
import { openRateLimits, RULES } from '#kernel/limits';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const FULL = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
/** What a Redis answers that tells what it has, which is nothing, and takes nothing: a full one, or one that is only a copy. */
const ANSWERS: Readonly<Record<string, string>> = {
  HELLO: '%1\r\n+server\r\n+redis\r\n',
  CLIENT: '+OK\r\n',
  PING: '+PONG\r\n',
  MULTI: '+OK\r\n',
  GET: '+QUEUED\r\n',
  PTTL: '+QUEUED\r\n',
  EXEC: '*2\r\n$-1\r\n:-2\r\n',
};

describe('limits while Redis is full', () => {
  let redis: Server;
  let url: string;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    redis = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        for (const [, command = ''] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
          asked.push(command.toUpperCase());
          socket.write(ANSWERS[command.toUpperCase()] ?? FULL);
        }
      });
    });
    redis.listen(0, '127.0.0.1');
    await once(redis, 'listening');
    const address = redis.address();
    url = `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterEach(() => redis.close());

  it('are those of the process, whatever is read there', async () => {
    const clock = new TestClock();
    const limits = await openRateLimits({ redisUrl: url, enabled: true, clock });
    await expect.poll(() => limits.isShared).toBe(true);
    for (let point = 0; point < RULES['failed-login'].points; point++) await limits.take('failed-login', 'somebody');
    // It is looked again whether Redis does what it is asked for.
    for (let look = 1; look <= 3; look++) {
      const before = asked.length;
      clock.advance(1000);
      await expect.poll(() => asked.length).toBeGreaterThan(before);
      await new Promise(setImmediate);
      await expect(limits.check('failed-login', 'somebody')).rejects.toThrow();
      expect(limits.isShared).toBe(false);
    }
    await limits.close();
  });
});
