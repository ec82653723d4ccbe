import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFileKey, MAX_KEY_BYTES, MAX_KEY_PART_BYTES } from './keys.ts';

describe('a file key', () => {
  it.each(['2/4e/Xy_-z/foo-bar.txt', '2/a/t/테스트.txt', '2/a/t/....x', 'नमस्ते', 'a', '-'])('may be %s', (key) => {
    expect(isFileKey(key)).toBe(true);
  });

  it('may be as long as its bounds in bytes, not longer', () => {
    expect(isFileKey('é'.repeat(127))).toBe(true);
    expect(isFileKey('é'.repeat(128))).toBe(false);
    const full = `${`${'x'.repeat(99)}/`.repeat(8)}${'x'.repeat(100)}`;
    expect(full).toHaveLength(MAX_KEY_BYTES);
    expect(isFileKey(full)).toBe(true);
    expect(isFileKey(`${full}x`)).toBe(false);
    expect(MAX_KEY_PART_BYTES).toBe(255);
  });

  it('never leads out of a folder, whatever the system (security#holes, row 34)', () => {
    const part = fc.constantFrom('.', '..', 'a', '...', '%2e%2e', '\\', '/', ':', '\0', 'C', 'é', ' ', '~', '-', '_');
    const texts = fc.oneof(
      fc.array(part).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(isFileKey(text));
        expect(posix.join('/root', text)).toBe(`/root/${text}`);
        expect(win32.resolve('D:\\root', text)).toBe(`D:\\root\\${text.replaceAll('/', '\\')}`);
        expect(encodeURIComponent(text)).not.toContain('%00');
      }),
      { numRuns: 500 },
    );
  });
});
