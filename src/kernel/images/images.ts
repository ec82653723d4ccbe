import type { Log } from '#kernel/log';
import { assertOutsideTransaction } from '#kernel/scope';
import { Turns } from '#kernel/threads';
import { type ImageFacts, readFacts } from './decoder.ts';
import { formatsFor, type ThumbnailFormat } from './formats.ts';
import { ImageProcess } from './image-process.ts';
import { type Drawing, drawPicture, type Picture } from './pictures.ts';
import {
  assertImageType,
  AVATAR_TYPES,
  EMOJI_TYPES,
  type ImageType,
  THUMBNAIL_TYPES,
  TRANSCODED_TYPES,
} from './types.ts';

/**
 * Images that are processed at a time, and that may wait of one person: one takes up to 20 seconds, and 25 emoji of
 * 120 kB kept all pictures of everybody else waiting for 90.
 */
const AT_ONCE = { max: 1, maxPerCaller: 1, maxWaitingPerCaller: 20 };
/** Images whose properties are read at a time; that takes milliseconds, while others are drawn. */
const READ_AT_ONCE = { max: 1, maxPerCaller: 1, maxWaitingPerCaller: Infinity };
/** Whose the images of the server and its jobs are. */
const SERVER = 0;

/** Reads the bytes of an image when it is its turn, so that those that wait take no memory. */
export type ReadImage = () => Promise<Uint8Array>;

/** Sides of an avatar and of its larger size in pixels. See protocol/files#avatars. */
const AVATAR_PIXELS = 100;
const AVATAR_MEDIUM_PIXELS = 500;
/** Side of an emoji in pixels. See protocol/emoji#custom-emoji. */
const EMOJI_PIXELS = 64;
/** Side of the organization's icon in pixels. */
const ICON_PIXELS = 100;
/** The box that a logo fits into, in pixels: the height of a title bar, and eight times as wide. */
const LOGO_WIDTH = 800;
const LOGO_HEIGHT = 100;
/** Longest side of a WebP in pixels, a limit of the format. */
const MAX_WEBP_PIXELS = 16_383;
/** Most pixels of an image that is stored as WebP for browsers: 50 million took 760 MiB to encode. */
const MAX_TRANSCODED_PIXELS = 10_000_000;

/** A picture with the last part of its address. */
interface NamedPicture extends Picture {
  readonly name: string;
}

/** The pictures made of an uploaded image. */
export interface Thumbnails {
  readonly facts: ImageFacts;
  readonly thumbnails: readonly (NamedPicture & { readonly format: ThumbnailFormat })[];
  /** The image in full size or in ten million pixels, if browsers do not display its type. */
  readonly transcoded?: NamedPicture;
}

/**
 * Processes uploaded images, one at a time, and those of several people by turns. `owner` is the ID of the account whose
 * image it is; without one it is the server's. Every error has the code `BAD_IMAGE`, or is 503 where more than
 * twenty images of one person wait.
 */
export interface Images {
  /** Returns type, size and number of frames, without decoding. */
  inspect(read: ReadImage): Promise<ImageFacts>;
  /** Makes all thumbnails of an image. */
  makeThumbnails(read: ReadImage, owner?: number): Promise<Thumbnails>;
  /** Makes PNGs in two sizes. */
  makeAvatar(bytes: Uint8Array, owner?: number): Promise<{ readonly small: Picture; readonly medium: Picture }>;
  /** Makes a PNG, or for an animation a picture of its own type and a `still` PNG. */
  makeEmoji(bytes: Uint8Array, owner?: number): Promise<{ readonly picture: Picture; readonly still?: Picture }>;
  /** Makes a square PNG. */
  makeIcon(bytes: Uint8Array, owner?: number): Promise<Picture>;
  /** Makes a PNG that is shrunk into its box. */
  makeLogo(bytes: Uint8Array, owner?: number): Promise<Picture>;
}

/** Opens the image processing; its processes start with the first image. */
export function openImages(log: Log): Images {
  const reading = { turns: new Turns(READ_AT_ONCE), decoder: new ImageProcess(log) };
  const drawing = { turns: new Turns(AT_ONCE), decoder: new ImageProcess(log) };
  const work = <T>(
    { read, accepted, owner = SERVER }: Wanted,
    make: (decoder: ImageProcess, facts: ImageFacts) => Promise<T>,
    { turns, decoder } = drawing,
  ) => {
    assertOutsideTransaction('work on an image');
    return inTurn(turns, owner, async () => {
      const bytes = await read();
      const type = await assertImageType(bytes, accepted);
      return decoder.run(async () => make(decoder, await readFacts(decoder, bytes, type)));
    });
  };
  const held = (bytes: Uint8Array) => async () => bytes;
  const square = (pixels: number): Drawing => ({ ...STILL, width: pixels, height: pixels, fit: 'cover' });
  return {
    inspect: async (read) => work({ read, accepted: THUMBNAIL_TYPES }, async (_decoder, facts) => facts, reading),
    makeThumbnails: async (read, owner) => work({ read, accepted: THUMBNAIL_TYPES, owner }, makeThumbnails),
    makeAvatar: async (all, owner) =>
      work({ read: held(all), accepted: AVATAR_TYPES, owner }, async (decoder, facts) => {
        const medium = await drawPicture(decoder, facts, square(AVATAR_MEDIUM_PIXELS));
        // From the larger size: decoding a large image again took twice the time, and much more memory.
        const again = await readFacts(decoder, medium.bytes, medium.type);
        const small = await drawPicture(decoder, again, square(AVATAR_PIXELS));
        return { small, medium };
      }),
    makeEmoji: async (all, owner) => work({ read: held(all), accepted: EMOJI_TYPES, owner }, makeEmoji),
    makeIcon: async (all, owner) =>
      work({ read: held(all), accepted: EMOJI_TYPES, owner }, (decoder, facts) =>
        drawPicture(decoder, facts, square(ICON_PIXELS)),
      ),
    makeLogo: async (all, owner) =>
      work({ read: held(all), accepted: EMOJI_TYPES, owner }, (decoder, facts) => drawPicture(decoder, facts, LOGO)),
  };
}

/** An image that is wanted, of accepted types. */
interface Wanted {
  readonly read: ReadImage;
  readonly accepted: readonly ImageType[];
  readonly owner?: number | undefined;
}

async function inTurn<T>(turns: Turns, owner: number, work: () => Promise<T>): Promise<T> {
  const end = await turns.take(String(owner));
  try {
    return await work();
  } finally {
    end();
  }
}

const STILL = { type: 'image/png', isAnimated: false } as const;
const LOGO: Drawing = { ...STILL, width: LOGO_WIDTH, height: LOGO_HEIGHT, fit: 'inside' };

async function makeThumbnails(decoder: ImageProcess, facts: ImageFacts): Promise<Thumbnails> {
  const thumbnails = [];
  for (const format of formatsFor(facts.frames)) {
    const { name, max_width: width, max_height: height, animated: isAnimated } = format;
    const drawing: Drawing = { width, height, fit: 'inside', type: 'image/webp', isAnimated };
    thumbnails.push({ ...(await drawPicture(decoder, facts, drawing)), name, format });
  }
  if (!TRANSCODED_TYPES.includes(facts.type)) return { facts, thumbnails };
  const picture = await drawPicture(decoder, facts, transcoding(facts));
  return { facts, thumbnails, transcoded: { ...picture, name: `${picture.width}x${picture.height}.webp` } };
}

function transcoding({ width, height }: ImageFacts): Drawing {
  const scale = Math.min(1, Math.sqrt(MAX_TRANSCODED_PIXELS / (width * height)));
  const side = (pixels: number) => Math.min(MAX_WEBP_PIXELS, Math.max(1, Math.floor(pixels * scale)));
  return { width: side(width), height: side(height), fit: 'inside', type: 'image/webp', isAnimated: false };
}

async function makeEmoji(decoder: ImageProcess, facts: ImageFacts) {
  const box = { width: EMOJI_PIXELS, height: EMOJI_PIXELS, fit: 'contain' } as const;
  const still = await drawPicture(decoder, facts, { ...box, ...STILL });
  if (facts.frames === 1) return { picture: still };
  const type = facts.type === 'image/gif' ? 'image/gif' : 'image/webp';
  return { picture: await drawPicture(decoder, facts, { ...box, type, isAnimated: true }), still };
}
