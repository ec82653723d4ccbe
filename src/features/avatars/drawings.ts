import { createHash } from 'node:crypto';
import { drawCells } from '#kernel/images';

type Colour = readonly [number, number, number];

/** Cells of a side, and pixels of a cell: 100 pixels a side, 500 in the larger size. See protocol/files#avatars. */
const CELLS = 10;
const SMALL_SCALE = 10;
const MEDIUM_SCALE = 50;

const PAPER: Colour = [240, 240, 240];
const SHADE: Colour = [160, 160, 160];
/** Colours with contrast to the background and to each other. */
const INKS: readonly Colour[] = [
  [178, 76, 76],
  [178, 119, 58],
  [128, 138, 48],
  [66, 142, 82],
  [48, 138, 140],
  [64, 116, 178],
  [104, 92, 184],
  [156, 76, 166],
  [176, 70, 122],
  [104, 112, 124],
];
/** Rows of the silhouette: a head and shoulders. */
const SILHOUETTE = [
  '..........',
  '...####...',
  '..######..',
  '..######..',
  '..######..',
  '...####...',
  '..........',
  '.########.',
  '##########',
  '##########',
];

/** Draws the picture of an account without one, as PNG: a mirrored pattern derived from the ID alone. */
export function drawIdenticon(id: number, isMedium: boolean): Buffer {
  const bytes = createHash('sha256').update(`identicon:${id}`).digest();
  const half = CELLS / 2;
  const cells = Array.from({ length: CELLS }, (_row, y) =>
    Array.from({ length: CELLS }, (_cell, x) => {
      if (x === 0 || y === 0 || x === CELLS - 1 || y === CELLS - 1) return 0;
      const place = y * half + Math.min(x, CELLS - 1 - x);
      return ((bytes[place >> 3] ?? 0) >> (place & 7)) & 1;
    }),
  );
  return drawCells(cells, [PAPER, INKS[(bytes[31] ?? 0) % INKS.length] ?? SHADE], scaleOf(isMedium));
}

/** Draws the picture for an account that is unknown or that the viewer may not know, as PNG. */
export function drawSilhouette(isMedium: boolean): Buffer {
  const cells = SILHOUETTE.map((row) => Array.from(row, (cell) => (cell === '#' ? 1 : 0)));
  return drawCells(cells, [PAPER, SHADE], scaleOf(isMedium));
}

function scaleOf(isMedium: boolean): number {
  return isMedium ? MEDIUM_SCALE : SMALL_SCALE;
}
