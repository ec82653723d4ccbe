import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Draws a square PNG with a palette: `cells` has rows of indexes into `palette` (`[red, green, blue]`), and each cell
 * is `scale` pixels wide.
 */
export function drawCells(
  cells: readonly (readonly number[])[],
  palette: readonly (readonly [number, number, number])[],
  scale: number,
): Buffer {
  const side = cells.length * scale;
  const rows = cells.flatMap((row) => {
    // Each line begins with its filter type: none.
    const line = Buffer.from([0, ...row.flatMap((index) => Array.from({ length: scale }, () => index))]);
    return Array.from({ length: scale }, () => line);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits per pixel, indexes into the palette.
  header.set([8, 3, 0, 0, 0], 8);
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
