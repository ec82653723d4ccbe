import { describe, expect, it } from 'vitest';
import { inParts } from './chunks.ts';

describe('work on many things', () => {
  it('is done in parts and in order, between which other work runs (security#asvs, 15.1.3)', async () => {
    const seen: (number | 'others')[] = [];
    setImmediate(() => seen.push('others'));
    const sums = await inParts([1, 2, 3, 4, 5], 2, async (some) => {
      seen.push(...some);
      return some.length;
    });
    expect(seen).toEqual([1, 2, 'others', 3, 4, 5]);
    expect(sums).toEqual([2, 2, 1]);
    expect(await inParts([], 2, async () => 1)).toEqual([]);
  });
});
