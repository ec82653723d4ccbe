import { describe, expect, it } from 'vitest';
import { closestFormat, formatsFor, THUMBNAIL_FORMATS, type ThumbnailFormat } from './index.ts';

const small: ThumbnailFormat = {
  name: '300x200.webp',
  max_width: 300,
  max_height: 200,
  format: 'webp',
  animated: false,
};

describe('the forms of thumbnails', () => {
  it('are those of the register response', () => {
    expect(THUMBNAIL_FORMATS).toEqual([
      { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
      { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
    ]);
  });

  it('are all made of what moves, and the still ones of the rest', () => {
    expect(formatsFor(2)).toEqual(THUMBNAIL_FORMATS);
    expect(formatsFor(1).map(({ name }) => name)).toEqual(['840x560.webp']);
  });

  it.each([
    ['840x560.webp', '840x560.webp'],
    ['840x560-anim.webp', '840x560-anim.webp'],
    ['300x200.webp', '300x200.webp'],
    ['100x75.jpg', '300x200.webp'],
    ['400x300.webp', '300x200.webp'],
    ['99999x99999.webp', '840x560.webp'],
    ['10x10-anim.webp', '840x560-anim.webp'],
  ])('asked for as %s are answered by %s', (asked, name) => {
    expect(closestFormat(asked, [...THUMBNAIL_FORMATS, small])?.name).toBe(name);
  });

  it('stand still where nothing moves', () => {
    expect(closestFormat('840x560-anim.webp', formatsFor(1))?.name).toBe('840x560.webp');
    expect(closestFormat('840x560.webp', [])).toBeUndefined();
  });

  it.each(['', 'x', '840x560', '840x.webp', '-1x5.webp', '840x560-anim', '840x560.webp/..', '999999x1.webp', '../x'])(
    'are not asked for by %j',
    (asked) => {
      expect(closestFormat(asked, THUMBNAIL_FORMATS)).toBeUndefined();
    },
  );
});
