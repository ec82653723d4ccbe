import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NumberSet } from './number-set.ts';

it('holds the numbers that were added, and no others', () => {
  const number = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2_147_483_647 }));
  fc.assert(
    fc.property(fc.array(number), fc.array(number), (added, asked) => {
      const [set, expected] = [new NumberSet(), new Set(added)];
      for (const one of added) set.add(one);
      expect(set.size).toBe(expected.size);
      for (const one of [...added, ...asked]) expect(set.has(one)).toBe(expected.has(one));
    }),
  );
});
