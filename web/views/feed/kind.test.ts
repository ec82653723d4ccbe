import { describe, expect, it } from 'vitest';
import type { Term } from '../../messages/index.ts';
import { feedKind, marksRead } from './kind.ts';

const term = (operator: string, operand: Term['operand'], negated = false): Term => ({ operator, operand, negated });

describe('feeds', () => {
  it.each([
    [[], 'feed'],
    [[term('is', 'mentioned')], 'mentions'],
    [[term('is', 'starred')], 'starred'],
    [[term('has', 'reaction'), term('sender', 7)], 'reactions'],
    [[term('channel', 5)], 'conversation'],
    [[term('channel', 5), term('topic', 'x')], 'conversation'],
    [[term('dm', [7, 8])], 'conversation'],
    [[term('channel', 5, true)], 'search'],
    [[term('is', 'starred', true)], 'search'],
    [[term('channel', 5), term('search', 'soup')], 'search'],
  ] as const)('%j is known as %s', (narrow, kind) => expect(feedKind(narrow, 7)).toBe(kind));

  it('mark read as the person wants, and never by a search', () => {
    expect([1, 2, 3].map((policy) => marksRead('conversation', policy))).toEqual([true, true, false]);
    expect([1, 2, 3].map((policy) => marksRead('feed', policy))).toEqual([true, false, false]);
    expect(marksRead('search', 1)).toBe(false);
  });
});
