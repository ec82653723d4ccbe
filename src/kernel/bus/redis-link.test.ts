import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { RedisLink } from './redis-link.ts';

const REDIS = process.env['ROOST_TEST_REDIS_URL'];
/** Milliseconds for which the process is busy, longer than a command may take. */
const BUSY_MS = 600;

describe.skipIf(REDIS === undefined)('a connection to Redis', () => {
  let link: RedisLink;
  const lost: Error[] = [];
  beforeEach(async () => {
    link = await RedisLink.open(REDIS ?? '', systemClock, (error) => lost.push(error));
    await expect.poll(() => link.isUsable).toBe(true);
  });
  afterEach(() => link.close());

  it('takes an answer that came in time, although the process was too busy to read it', async () => {
    // From here on the event loop runs timers before it reads.
    await new Promise(setImmediate);
    const answer = link.client.ping();
    const began = performance.now();
    while (performance.now() - began < BUSY_MS);
    expect(await answer).toBe('PONG');
    expect(lost).toEqual([]);
  });

  it('waits for no answer for long', async () => {
    const began = performance.now();
    await expect(link.client.blpop('nothing', 5)).rejects.toThrow('Command timed out');
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
