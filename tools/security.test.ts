import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');

describe('docs/security.md', () => {
  it('names places that there are', () => {
    const named = [...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  it('has every one of the 39 rows', () => {
    const numbers = [...page.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, list = '']) => list.split(',').map(Number));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 39 }, (_, index) => index + 1));
  });
});
