import { describe, expect, it } from 'vitest';
import { initialsOf } from './avatar.tsx';

describe('letters on an egg', () => {
  it.each([
    ['Mia Member', 'Mi'],
    [' ök', 'Ök'],
    ['MAX', 'Ma'],
    ['张伟', '张'],
    ['عمر', 'ع'],
    ['👩‍👩‍👧 family', '👩‍👩‍👧'],
    ['X', 'X'],
    ['', '?'],
  ])('%s has %s', (name, letters) => {
    expect(initialsOf(name)).toBe(letters);
  });
});
