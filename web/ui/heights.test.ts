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
