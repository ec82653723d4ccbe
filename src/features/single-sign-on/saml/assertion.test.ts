import { expect, it } from 'vitest';
import { processorMs } from '../../../../test/support/processor.ts';
import { timeOf } from './assertion.ts';

it('reads times with their zone, and looks at no more of others than a time has (security#asvs, 15.1.3)', async () => {
  expect(timeOf('2026-11-26T12:00:00Z')).toBe(1_795_694_400);
  expect(timeOf('2026-11-26T12:00:00.123456+01:00')).toBeCloseTo(1_795_690_800, 0);
  for (const text of [undefined, '2026-11-26', '2026-11-26T12:00:00', 'T']) expect(() => timeOf(text)).toThrow(/./);
  const ms = await processorMs(() => expect(() => timeOf(`${'T'.repeat(60_000)}\nTZ`)).toThrow(/./));
  expect(ms).toBeLessThan(50);
});
