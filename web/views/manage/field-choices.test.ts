import { describe, expect, it } from 'vitest';
import { moved } from './list-page.tsx';
import { nameOfFile } from './organization/emoji-page.tsx';
import { choicesIn, fieldDataOf } from './field-choices.ts';

describe('the choices of a profile field', () => {
  const before = JSON.stringify({ a: { text: 'Tea', order: '2' }, 0: { text: 'Coffee', order: '1' } });

  it('are read in their order', () => {
    expect(choicesIn(before)).toEqual(['Coffee', 'Tea']);
    expect(choicesIn('')).toEqual([]);
  });

  it('keep their keys through a change, so that what people chose stays', () => {
    expect(fieldDataOf('Tea\n\n Water \nTea\nMilk', before)).toEqual({
      a: { text: 'Tea', order: '1' },
      1: { text: 'Water', order: '2' },
      2: { text: 'Milk', order: '3' },
    });
  });
});

describe('lists that are managed', () => {
  it('move one of theirs to another place', () => {
    expect(moved([1, 2, 3], 2, 1)).toEqual([1, 3, 2]);
    expect(moved([1, 2, 3], 0, 1)).toEqual([2, 1, 3]);
  });

  it('name an emoji after its file as the rules of names allow', () => {
    expect(nameOfFile('Happy Rook (2).final.PNG')).toBe('happy_rook_2_final');
    expect(nameOfFile('…')).toBe('');
  });
});
