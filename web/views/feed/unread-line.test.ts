import { describe, expect, it } from 'vitest';
import { movedLine } from './unread-line.ts';

describe('the unread line', () => {
  const change = { line: 5, before: [5, 6], after: [5, 6], newest: 6, isLookedAt: true };

  it('stays where it is when messages are read, and when others come before the eyes of the reader', () => {
    expect(movedLine({ ...change, after: [6] })).toBe(5);
    expect(movedLine({ ...change, after: [] })).toBe(5);
    expect(movedLine({ ...change, before: [], after: [7] })).toBe(5);
    expect(movedLine({ ...change, line: undefined, before: [], after: [7] })).toBe(undefined);
  });

  it('is set anew above messages that come while nobody looks, once', () => {
    const away = { ...change, isLookedAt: false };
    expect(movedLine({ ...away, before: [], after: [7] })).toBe(7);
    expect(movedLine({ ...away, line: 7, before: [7], after: [7, 8], newest: 7 })).toBe(7);
    expect(movedLine({ ...away, line: undefined, before: [7], after: [7, 8], newest: 7 })).toBe(8);
  });

  it('is set above messages that were marked as unread', () => {
    expect(movedLine({ ...change, before: [], after: [3, 4, 5, 6] })).toBe(3);
    expect(movedLine({ ...change, line: undefined, before: [6], after: [4, 5, 6] })).toBe(4);
  });
});
