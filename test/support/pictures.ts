import sharp, { type Sharp } from 'sharp';

/** Colours that stay distinct after any compression, as `[red, green, blue]`. */
const RED = [220, 20, 20] as const;
const BLUE = [20, 20, 220] as const;
type Colour = readonly [number, number, number];

/** A picture of one colour, from which a test makes a file. */
export function plain(width: number, height: number, [r, g, b]: Colour = RED): Sharp {
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } });
}

/** A picture with a red left and a blue right half. */
export async function halves(width: number, height: number): Promise<Sharp> {
  const right = await plain(Math.floor(width / 2), height, BLUE)
    .png()
    .toBuffer();
  return sharp(
    await plain(width, height)
      .composite([{ input: right, gravity: 'east' }])
      .png()
      .toBuffer(),
  );
}

/** An animation of `frames` pictures, alternately red and blue. */
export async function animation(frames: number, [width, height]: readonly [number, number]): Promise<Sharp> {
  const pictures = Array.from({ length: frames }, (_, index) =>
    plain(width, height, index % 2 === 0 ? RED : BLUE)
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pictures), { join: { animated: true } });
}

/** Returns which of red and blue is nearer to a pixel's colour; `none` when it is transparent. */
export async function colourAt(bytes: Uint8Array, x: number, y: number): Promise<'red' | 'blue' | 'none'> {
  const { data } = await sharp(bytes).ensureAlpha().extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer({
    resolveWithObject: true,
  });
  const [red = 0, , blue = 0, alpha = 0] = data;
  if (alpha < 128) return 'none';
  return red > blue ? 'red' : 'blue';
}
