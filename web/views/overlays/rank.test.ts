import { describe, expect, it } from 'vitest';
import { named, ranked } from './rank.ts';

const ALL = ['the design', 'undesigned', 'Design', 'designers', 'general'].map((name) => named({ name }));

describe('what the palette finds', () => {
  it('begins with the words, then has a word that does, then holds them', () => {
    expect(ranked(ALL, 'design', 9).map(({ name, match }) => [name, match])).toEqual([
      ['Design', [0, 6]],
      ['designers', [0, 6]],
      ['the design', [4, 10]],
      ['undesigned', [2, 8]],
    ]);
  });

  it('is found by other words, too, of which none is marked', () => {
    const page = { name: 'Display', folded: 'display theme' };
    expect(ranked([page], 'theme', 9)).toMatchObject([{ match: [0, 0] }]);
    expect(ranked([page], 'play th', 9)).toMatchObject([{ match: [0, 0] }]);
    expect(ranked([page], 'dis', 9)).toMatchObject([{ match: [0, 3] }]);
  });

  it('is no more than asked for, and everything in its order without words', () => {
    expect(ranked(ALL, '', 2).map(({ name }) => name)).toEqual(['the design', 'undesigned']);
    expect(ranked(ALL, 'xyz', 9)).toEqual([]);
  });
});
