import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heights } from './heights.ts';

describe('heights of rows', () => {
  it('lie one under the other, unknown ones with the average of the known', () => {
    const heights = new Heights(50);
    heights.setKeys(['a', 'b', 'c']);
    expect(heights.total).toBe(150);
    heights.measure('a', 20);
    expect([heights.top(1), heights.top(2), heights.total]).toEqual([20, 40, 60]);
    heights.measure('c', 40);
    expect([heights.top(1), heights.top(2), heights.total]).toEqual([20, 50, 90]);
  });

  it('stay known when rows come before them', () => {
    const heights = new Heights(10);
    heights.setKeys(['b']);
    heights.measure('b', 30);
    heights.setKeys(['a', 'b']);
    expect([heights.top(1), heights.total]).toEqual([30, 60]);
  });

  it('lie where they would if all had been known at once, whatever changes in whichever order', () => {
    const change = fc.record({
      keys: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 30 })), { nil: undefined }),
      row: fc.integer({ min: 0, max: 30 }),
      height: fc.integer({ min: 1, max: 300 }),
      index: fc.integer({ min: 0, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const heights = new Heights(20);
        const known = new Map<string, number>();
        for (const { keys, row, height, index } of changes) {
          if (keys) heights.setKeys(keys.map(String));
          heights.measure(String(row), height, index);
          known.set(String(row), height);
          const fresh = new Heights(20);
          for (const [key, one] of known) fresh.measure(key, one);
          fresh.setKeys(heights.keys);
          const all = Array.from({ length: heights.keys.length + 1 }, (_, at) => at);
          expect(all.map((at) => heights.top(at))).toEqual(all.map((at) => fresh.top(at)));
        }
      }),
    );
  });

  it('find the row at an offset, as a search from the start does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 })), fc.integer({ min: -50, max: 5000 }), (all, offset) => {
        const heights = new Heights(20);
        heights.setKeys(all.map((_, index) => String(index)));
        all.forEach((height, index) => heights.measure(String(index), height));
        let naive = 0;
        for (let index = 0; index < all.length; index += 1) if (heights.top(index) <= offset) naive = index;
        expect(heights.indexAt(offset)).toBe(naive);
      }),
    );
  });
});
