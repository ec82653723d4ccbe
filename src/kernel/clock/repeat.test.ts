import { describe, expect, it } from 'vitest';
import { repeat, TestClock } from './index.ts';

const settled = () => new Promise(setImmediate);

describe('what is repeated', () => {
  it('runs at first and then ever so often, also after a failure', async () => {
    const clock = new TestClock();
    const times: number[] = [];
    const faults: unknown[] = [];
    const start = clock.nowMs();
    const task = async () => {
      times.push(clock.nowMs() - start);
      if (times.length === 2) throw new Error('no');
    };
    const stop = repeat(clock, task, { everyMs: 1000, firstMs: 10, failed: (error) => faults.push(error) });
    for (let turn = 0; turn < 4; turn++) {
      clock.advance(1000);
      await settled();
    }
    expect(times).toEqual([10, 2000, 3000, 4000]);
    expect(faults).toEqual([new Error('no')]);
    await stop();
    clock.advance(5000);
    expect(times).toHaveLength(4);
  });

  it('is waited for when it ends, and does not begin again', async () => {
    const clock = new TestClock();
    let finish = () => {};
    let runs = 0;
    const task = () => {
      runs++;
      return new Promise<void>((resolve) => (finish = resolve));
    };
    const stop = repeat(clock, task, { everyMs: 1000, failed: () => {} });
    clock.advance(1000);
    let hasStopped = false;
    const stopping = stop().then(() => (hasStopped = true));
    clock.advance(5000);
    await settled();
    expect({ hasStopped, runs }).toEqual({ hasStopped: false, runs: 1 });
    finish();
    await stopping;
    clock.advance(5000);
    await settled();
    expect(runs).toBe(1);
  });
});
