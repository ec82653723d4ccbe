import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { growthPercent, isLarge } from './heap.ts';

it.each([
  [256, 30],
  [1024, 50],
  [16_000, 50],
  [128_000, undefined],
])('lets the heap grow with the memory that is given: %d MiB', (givenMib, percent) => {
  expect(growthPercent(givenMib)).toBe(percent);
});

it.each([
  [230, 16_000, false, false],
  [241, 16_000, false, true],
  [230, 16_000, true, true],
  [219, 16_000, true, false],
  [150, 256, false, false],
  [160, 256, false, true],
  [145, 256, true, true],
  [140, 256, true, false],
])(
  'calls a process large by what it takes and is given: %d of %d MiB, large before: %s',
  (resident, given, was, is) => {
    expect(isLarge(resident, given, was)).toBe(is);
  },
);

/** Makes garbage that lives for a while beside what stays, and tells the most memory that the heap took, in MiB. */
const CHURN = `
  const { setFlagsFromString } = require('node:v8');
  if (process.argv[1]) setFlagsFromString('--heap-growing-percent=' + process.argv[1]);
  const kept = Array.from({ length: 300000 }, (_, n) => ({ n, text: 'kept ' + n }));
  const ring = new Array(20000);
  let most = 0;
  for (let n = 0; n < 2000000; n++) {
    ring[n % 20000] = { n, text: 'short ' + n, list: [n] };
    if (n % 50000 === 0) most = Math.max(most, process.memoryUsage().heapTotal);
  }
  console.log(most / 2 ** 20, kept.length);
`;

it('is heard by V8 while it runs', () => {
  const most = (percent: string) => Number.parseFloat(String(execFileSync(process.execPath, ['-e', CHURN, percent])));
  expect(most('30')).toBeLessThan(most('') * 0.9);
});
