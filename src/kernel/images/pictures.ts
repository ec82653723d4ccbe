import type { OutputInfo, Sharp } from 'sharp';
import { draw, type ImageFacts, MAX_PIXELS, openImage } from './decoder.ts';

/** A picture that was made: its bytes hold no metadata of what it was made from. */
export interface Picture {
  readonly bytes: Buffer;
  readonly type: 'image/gif' | 'image/png' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** How a picture is made. */
export interface Drawing {
  /** The box it goes into, in pixels. */
  readonly width: number;
  readonly height: number;
  /** `cover` fills the box and cuts what sticks out; `contain` leaves rims transparent; `inside` only shrinks. */
  readonly fit: 'cover' | 'contain' | 'inside';
  readonly type: Picture['type'];
  /** Whether all pictures of an animation are drawn; else the first one. */
  readonly isAnimated: boolean;
}

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

/** Draws an image anew. An animation with more pixels than are allowed ends early. */
export async function drawPicture(bytes: Uint8Array, facts: ImageFacts, drawing: Drawing): Promise<Picture> {
  const affordable = Math.max(1, Math.floor(MAX_PIXELS / (facts.width * facts.height)));
  const pages = drawing.isAnimated ? Math.min(facts.frames, affordable) : 1;
  return draw(async () => {
    const { width, height, fit } = drawing;
    const box = { width, height, fit, withoutEnlargement: fit === 'inside', background: TRANSPARENT };
    const image = (await openImage(bytes, pages)).resize(box);
    const { data, info } = await encode(image, drawing.type).toBuffer({ resolveWithObject: true });
    return { bytes: data, type: drawing.type, width: info.width, height: heightOf(info) };
  });
}

function encode(image: Sharp, type: Picture['type']): Sharp {
  switch (type) {
    case 'image/gif':
      return image.gif();
    case 'image/png':
      return image.png();
    case 'image/webp':
      return image.webp();
  }
}

/** The pictures of an animation lie below each other; its height is that of one. */
function heightOf({ height, pageHeight = height }: OutputInfo): number {
  return pageHeight;
}
