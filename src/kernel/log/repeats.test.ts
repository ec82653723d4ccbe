import { describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { openLog } from './index.ts';

const opened = () => {
  const lines: Record<string, unknown>[] = [];
  const clock = new TestClock();
  const log = openLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }, clock);
  return { log, clock, seen: () => lines.splice(0).map(({ msg, repeated }) => [msg, repeated]) };
};
const fault = (message: string, code?: string) => ({ err: Object.assign(new Error(message), code && { code }) });

describe('a failure that repeats', () => {
  it('is written once a minute with how many the line stands for', () => {
    const { log, clock, seen } = opened();
    for (let i = 0; i < 5000; i++) log.warn(fault(`job ${i} failed`), 'no');
    expect(seen()).toEqual([['no', undefined]]);
    clock.advance(60_000);
    log.warn(fault('job 5000 failed'), 'no');
    expect(seen()).toEqual([['no', 4999]]);
    for (let i = 0; i < 10; i++) log.warn(fault('job 1 failed'), 'no');
    expect(seen()).toEqual([]);
  });

  it('leaves none uncounted when the process ends or something else is said', () => {
    const { log, clock, seen } = opened();
    for (let i = 0; i < 3; i++) log.room('jobs').error(fault('gone', 'EPIPE'), 'no');
    log.flush();
    expect(seen()).toEqual([
      ['no', undefined],
      ['no', 2],
    ]);
    for (let i = 0; i < 3; i++) log.warn({}, 'late');
    clock.advance(60_000);
    log.error({}, 'other');
    expect(seen()).toEqual([
      ['late', undefined],
      ['late', 2],
      ['other', undefined],
    ]);
  });

  it('hides no other failure, room or level of detail', () => {
    const { log, seen } = opened();
    log.warn(fault('a', 'ECONNRESET'), 'no');
    log.warn(fault('a', 'EPIPE'), 'no');
    log.room('bus').warn(fault('a', 'EPIPE'), 'no');
    log.warn(fault('one'), 'no');
    log.warn(fault('two'), 'no');
    for (let i = 0; i < 3; i++) log.info({}, 'served');
    expect(seen()).toHaveLength(8);
  });
});
