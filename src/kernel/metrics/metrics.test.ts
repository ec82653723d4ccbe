import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openMetrics } from './index.ts';

/** The value of a metric without labels. */
async function read(metrics: ReturnType<typeof openMetrics>, name: string): Promise<number> {
  const [, value] = new RegExp(`^${name} (.*)$`, 'm').exec(await metrics.text()) ?? [];
  return Number(value);
}

test('counts the time in which the event loop was busy, whenever it is asked', async () => {
  const metrics = openMetrics();
  await sleep(1);
  const before = await read(metrics, 'roost_event_loop_busy_seconds_total');
  const started = performance.now();
  while (performance.now() - started < 50);
  await sleep(1);
  const after = await read(metrics, 'roost_event_loop_busy_seconds_total');
  expect(after - before).toBeGreaterThan(0.045);
});

test('has no timer of its own watch the event loop', async () => {
  expect(await openMetrics().text()).not.toContain('nodejs_eventloop_lag');
});

test('gauges that are read together are read once for each scrape', async () => {
  const metrics = openMetrics();
  let reads = 0;
  metrics.gauges({ first: 'One', second: 'Two' }, async () => ({ first: ++reads, second: reads }));
  expect([await read(metrics, 'first'), await read(metrics, 'second')]).toEqual([1, 2]);
});

test('a gauge that cannot be read now is not a number, and the others are there', async () => {
  const metrics = openMetrics();
  metrics.gauges({ broken: 'Fails' }, () => Promise.reject(new Error('no database')));
  metrics.gauge('sound', 'Works', () => 7);
  expect(await read(metrics, 'broken')).toBeNaN();
  expect(await read(metrics, 'sound')).toBe(7);
});
