import { describe, expect, it } from 'vitest';
import { wholeFractionsBroken } from './json-numbers.ts';

describe('numbers of a JSON text that are written as fractions (protocol/wire#json-values)', () => {
  it.each([
    ['5.0', '0.5'],
    ['[1, -2.00, 3e2, 4E+1]', '[1, 0.5, 0.5, 0.5]'],
    ['{"5.0":[5.0],"a":"\\"1.0"}', '{"5.0":[0.5],"a":"\\"1.0"}'],
  ])('breaks the whole ones of %s', (json, broken) => {
    expect(wholeFractionsBroken(json)).toBe(broken);
    expect(() => JSON.parse(broken) as unknown).not.toThrow();
  });

  it.each(['5', '[5, 1.5, 2e-3]', '"5.0"', '{"a 1.0 b":"x\\\\"}', 'true', 'null', '"'.padEnd(9, '1.0')])(
    'leaves %s alone',
    (json) => expect(wholeFractionsBroken(json)).toBeUndefined(),
  );

  it('takes time in proportion to the length', () => {
    const seconds = (length: number) => {
      const texts = [`[${'1.0,'.repeat(length)}1]`, `"${'\\"1.0'.repeat(length)}"`, '"1.0'.repeat(length)];
      const begin = process.cpuUsage().user;
      for (const text of texts) wholeFractionsBroken(text);
      return process.cpuUsage(undefined).user - begin;
    };
    seconds(20_000);
    expect(seconds(200_000)).toBeLessThan(40 * (seconds(20_000) + 2000));
  });
});
