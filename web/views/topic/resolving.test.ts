import { describe, expect, it } from 'vitest';
import { isResolved, toggled } from './resolving.ts';

describe('resolving a topic', () => {
  it('puts the mark before its name, and takes it away again', () => {
    expect(toggled('nest')).toBe('✔ nest');
    expect(toggled('✔ nest')).toBe('nest');
    expect(toggled('✔ ✔ nest')).toBe('nest');
    expect([isResolved('✔ nest'), isResolved('nest ✔ '), isResolved('✔nest')]).toEqual([true, false, false]);
  });
});
