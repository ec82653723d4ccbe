/**
 * A thumbnail format, as in the register response. See protocol/organizations#server-facts, `server_thumbnail_formats`.
 */
export interface ThumbnailFormat {
  /** Last part of a thumbnail's address. */
  readonly name: string;
  /** The box that a thumbnail fits into, in pixels; smaller images keep their size. */
  readonly max_width: number;
  readonly max_height: number;
  readonly format: 'webp';
  readonly animated: boolean;
}

/** All formats, the animated one first. See protocol/organizations#server-facts, `server_thumbnail_formats`. */
export const THUMBNAIL_FORMATS: readonly ThumbnailFormat[] = [
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
];

const NAME = /^(\d{1,5})x(\d{1,5})(-anim)?\.([a-z]{3,4})$/;

/** Returns the formats for an image: the still one, and the animated one if it has several frames. */
export function formatsFor(frames: number): readonly ThumbnailFormat[] {
  return THUMBNAIL_FORMATS.filter(({ animated }) => frames > 1 || !animated);
}

/**
 * Returns the format in `made` that is closest to the named one: first animated or not, then by area. Undefined if the
 * text is not a format's name, or `made` is empty. See protocol/files#fetching.
 */
export function closestFormat(name: string, made: readonly ThumbnailFormat[]): ThumbnailFormat | undefined {
  const asked = NAME.exec(name);
  if (!asked) return undefined;
  const pixels = Number(asked[1]) * Number(asked[2]);
  const isAnimated = asked[3] !== undefined;
  const distance = ({ animated, max_width, max_height }: ThumbnailFormat): [number, number] => [
    animated === isAnimated ? 0 : 1,
    Math.abs(max_width * max_height - pixels),
  ];
  const byDistance = (one: ThumbnailFormat, other: ThumbnailFormat): number => {
    const [a, b] = [distance(one), distance(other)];
    return a[0] - b[0] || a[1] - b[1];
  };
  return made.toSorted(byDistance)[0];
}
