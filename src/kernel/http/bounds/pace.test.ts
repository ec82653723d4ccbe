import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { pause } from '../../../../test/support/pause.ts';
import { openRaw, type RawConnection } from '../../../../test/support/raw-connection.ts';
import { Pace } from './pace.ts';

const HOUR_MS = 3_600_000;
const HEAD = 'POST / HTTP/1.1\nHost: localhost\nContent-Length: 100000\n\n';

describe('the pace of a body', () => {
  const clock = new TestClock();
  const slow: unknown[] = [];
  const pace = new Pace(clock, (request) => slow.push(request));
  const server = createServer((request, response) => {
    pace.watch(request, response);
    request.resume();
    server.emit('began');
  }).listen(0, '127.0.0.1');
  let connection: RawConnection;

  /** Begins a body, of which the server has read the first bytes. */
  const begin = async () => {
    if (!server.listening) await once(server, 'listening');
    connection = openRaw((server.address() as AddressInfo).port);
    const began = once(server, 'began');
    connection.write(HEAD);
    await began;
  };
  const send = async (bytes: number) => {
    connection.write('a'.repeat(bytes));
    await pause(50);
  };
  afterEach(async () => {
    connection.socket.destroy();
    await connection.closed;
    slow.length = 0;
  });

  afterAll(() => server.close());

  it.each([HOUR_MS, -HOUR_MS])('is that of the time which passes, when the clock is set by %i ms', async (stepMs) => {
    await begin();
    for (let window = 0; window < 2; window++) {
      clock.advance(5_000);
      if (window === 0) clock.step(stepMs);
      await send(12_000);
      clock.advance(6_000);
    }
    expect(slow).toHaveLength(0);
    // Nothing for ten seconds.
    clock.advance(11_000);
    expect(slow).toHaveLength(1);
  });

  it.each([0, HOUR_MS, -HOUR_MS])(
    'ends after thirty seconds in all, when the clock is set by %i ms',
    async (stepMs) => {
      await begin();
      for (let second = 0; second < 29; second += 5) {
        await send(6_000);
        clock.advance(second === 25 ? 4_000 : 5_000);
        if (second === 0) clock.step(stepMs);
      }
      expect(slow).toHaveLength(0);
      await send(2_000);
      clock.advance(2_000);
      expect(slow).toHaveLength(1);
    },
  );
});
