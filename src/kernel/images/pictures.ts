import { type ImageFacts, MAX_PIXELS, opening, refusing } from './decoder.ts';
import { ImageCorrupt } from './faults.ts';
import type { ImageProcess } from './image-process.ts';

/** A generated picture; has none of the original's metadata. */
export interface Picture {
  readonly bytes: Buffer;
  readonly type: 'image/gif' | 'image/png' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** How to draw a picture. */
export interface Drawing {
  /** The box to draw into, in pixels. */
  readonly width: number;
  readonly height: number;
  /** `cover` fills the box and crops; `contain` leaves transparent margins; `inside` only shrinks. */
  readonly fit: 'cover' | 'contain' | 'inside';
  readonly type: Picture['type'];
  /** Whether all frames of an animation are drawn, or only the first. */
  readonly isAnimated: boolean;
}

/** Most frames of an animation that are drawn, because each takes time however small it is. */
const MAX_FRAMES = 1_000;

/** Draws the image that the decoder has. An animation with more pixels or frames than allowed is cut short. */
export async function drawPicture(
  decoder: ImageProcess,
  facts: Pick<ImageFacts, 'width' | 'height' | 'frames'>,
  drawing: Drawing,
): Promise<Picture> {
  const affordable = Math.max(1, Math.floor(MAX_PIXELS / (facts.width * facts.height)));
  const pages = drawing.isAnimated ? Math.min(facts.frames, affordable, MAX_FRAMES) : 1;
  return decoder.draw(opening(pages), drawing).catch(refusing(ImageCorrupt));
}
