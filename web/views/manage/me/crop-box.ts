/** The square of a picture that is kept, in the picture's pixels. */
export interface CropBox {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Size of a picture, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Position of the square: its zoom, at least 1, and its place from 0 to 1 on each axis. */
export interface Framing {
  readonly zoom: number;
  readonly across: number;
  readonly down: number;
}

/** The largest square, in the middle. */
export const WHOLE: Framing = { zoom: 1, across: 0.5, down: 0.5 };

/** Returns the square of a framing; it never leaves the picture. */
export function cropBox({ width, height }: Size, { zoom, across, down }: Framing): CropBox {
  const side = Math.min(width, height) / Math.max(1, zoom);
  return { x: (width - side) * within(across), y: (height - side) * within(down), side };
}

/** Returns the framing after the picture was dragged; `dx` and `dy` are in sides of the square. */
export function dragged({ width, height }: Size, framing: Framing, dx: number, dy: number): Framing {
  const { side } = cropBox({ width, height }, framing);
  const shift = (place: number, room: number, by: number) => (room <= 0 ? place : within(place - (by * side) / room));
  return {
    ...framing,
    across: shift(framing.across, width - side, dx),
    down: shift(framing.down, height - side, dy),
  };
}

function within(part: number): number {
  return Math.min(1, Math.max(0, part));
}
