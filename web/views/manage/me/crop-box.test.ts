import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropBox, dragged, WHOLE } from './crop-box.ts';
import { peopleIn } from './profile-fields.tsx';

describe('the part of a picture that is kept', () => {
  it('is the largest square in the middle at first', () => {
    expect(cropBox({ width: 300, height: 200 }, WHOLE)).toEqual({ x: 50, y: 0, side: 200 });
    expect(cropBox({ width: 200, height: 300 }, { ...WHOLE, down: 0 })).toEqual({ x: 0, y: 0, side: 200 });
  });

  it('follows the pointer, as far as the picture goes', () => {
    const moved = dragged({ width: 400, height: 200 }, WHOLE, 0.25, 0.25);
    expect(cropBox({ width: 400, height: 200 }, moved)).toEqual({ x: 50, y: 0, side: 200 });
    expect(cropBox({ width: 400, height: 200 }, dragged({ width: 400, height: 200 }, moved, 9, 0)).x).toBe(0);
  });

  it('never leaves the picture', () => {
    const size = fc.integer({ min: 1, max: 10_000 });
    const any = fc.double({ min: -3, max: 5, noNaN: true });
    fc.assert(
      fc.property(size, size, any, any, any, (width, height, zoom, across, down) => {
        const { x, y, side } = cropBox(
          { width, height },
          dragged({ width, height }, { zoom, across, down }, across, down),
        );
        expect([x >= 0, y >= 0, x + side <= width + 1e-6, y + side <= height + 1e-6, side > 0]).not.toContain(false);
      }),
    );
  });
});

describe('people in a profile field', () => {
  it.each([
    ['[7,8]', [7, 8]],
    ['[]', []],
    ['', []],
    ['7', []],
    ['["x"]', []],
  ])('are read from %s', (value, ids) => {
    expect(peopleIn(value)).toEqual(ids);
  });
});
