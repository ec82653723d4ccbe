import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codePointLength,
  decodeLeniently,
  foldCase,
  headingSlug,
  takeCodePoints,
  truncate,
  unprintablePosition,
} from './index.ts';

describe('text', () => {
  it('counts code points as the language itself iterates them', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => codePointLength(text) === [...text].length));
  });

  it('takes whole code points only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, count) => {
        expect(takeCodePoints(text, count)).toBe([...text].slice(0, count).join(''));
      }),
    );
  });

  it('counts the marker of a truncated text', () => {
    expect(truncate('a'.repeat(60), 60, '...')).toBe('a'.repeat(60));
    expect(truncate('😀'.repeat(61), 60, '...')).toBe(`${'😀'.repeat(57)}...`);
  });

  it('names the 1-based position of an unprintable character (protocol/channels#names)', () => {
    expect(unprintablePosition('fine ✔ 😀')).toBe(0);
    expect(unprintablePosition('a\u0000')).toBe(2);
    expect(unprintablePosition('😀\u0007')).toBe(2);
    expect(unprintablePosition('\ufdd0')).toBe(1);
    expect(unprintablePosition('ab\u{1fffe}')).toBe(3);
    expect(unprintablePosition('\ud800')).toBe(1);
  });

  it('decodes percent-encoding, and leaves a text that is encoded wrongly', () => {
    expect(['a%20b', '%C3%A4', 'plain', '100%', '%FF'].map(decodeLeniently)).toEqual([
      'a b',
      'ä',
      'plain',
      '100%',
      '%FF',
    ]);
  });

  it('folds case beyond ASCII', () => {
    expect(foldCase('ÄRGER')).toBe(foldCase('ärger'));
  });
});

describe('the slug of a heading', () => {
  it.each([
    ['`update_message`', 'update_message'],
    ['Emoji, and [more](x.md)', 'emoji-and-more'],
    ['A  B', 'a--b'],
  ])('of %s is %s', (heading, slug) => {
    expect(headingSlug(heading)).toBe(slug);
  });
});
