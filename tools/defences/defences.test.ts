import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFENCES } from './list.ts';

describe('the list of defences', () => {
  it.each(DEFENCES)('knows where to take away what keeps $keeps', ({ file, from, to, test, named }) => {
    expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
    expect(existsSync(test)).toBe(true);
    expect(readFileSync(test, 'utf8')).toContain(named);
  });

  it('has a row for each of the 39 holes, and its test is the one that the page names', () => {
    const rows = readFileSync('docs/security.md', 'utf8').matchAll(/^\| ((?:\d+, )*\d+) \| [^|]+ \| ([^|]+) \|$/gm);
    const named = new Map(
      [...rows].flatMap(([, holes = '', tests = '']) => holes.split(', ').map((one) => [one, tests])),
    );
    const known = new Set(DEFENCES.flatMap(({ holes = [] }) => holes));
    expect([...known].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 39 }, (_, index) => index + 1));
    for (const { holes = [], test } of DEFENCES)
      for (const hole of holes) {
        const places = [...(named.get(String(hole)) ?? '').matchAll(/`([^`]+)`/g)].map(([, place = '']) => place);
        expect(
          places.some((place) => test.startsWith(place)),
          `${hole}: ${test}`,
        ).toBe(true);
      }
  });
});
