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
});
