import { assertOutsideTransaction } from '#kernel/scope';
import { type ImageFacts, readFacts } from './decoder.ts';
import { formatsFor, type ThumbnailFormat } from './formats.ts';
import { type Drawing, drawPicture, type Picture } from './pictures.ts';
import {
  assertImageType,
  AVATAR_TYPES,
  EMOJI_TYPES,
  type ImageType,
  THUMBNAIL_TYPES,
  TRANSCODED_TYPES,
} from './types.ts';

/** Does one piece of work after the other. */
type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Opens a line of work, in which each waits for the one before it, whether that succeeded or not. */
function openTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Pixels of an avatar and of its larger form, both square. See protocol/files#avatars. */
const AVATAR_PIXELS = 100;
const AVATAR_MEDIUM_PIXELS = 500;
/** Pixels of an emoji, square. See protocol/emoji#custom-emoji. */
const EMOJI_PIXELS = 64;
/** Pixels of the organization's icon, square like an avatar. */
const ICON_PIXELS = 100;
/** Pixels of the box that a logo fits into: the height of a title bar, and eight times as wide. */
const LOGO_WIDTH = 800;
const LOGO_HEIGHT = 100;
/** Longest side of a WebP in pixels; the format has no more. */
const MAX_WEBP_PIXELS = 16_383;

/** A picture under the name that the end of its address has. */
interface NamedPicture extends Picture {
  readonly name: string;
}

/** What is made of an image that was shared. */
export interface Thumbnails {
  readonly facts: ImageFacts;
  readonly thumbnails: readonly (NamedPicture & { readonly format: ThumbnailFormat })[];
  /** The image in full size, where browsers do not draw its type. */
  readonly transcoded?: NamedPicture;
}

/** Makes pictures of what people send. Every fault is one of `BAD_IMAGE`; the work is done one image at a time. */
export interface Images {
  /** Type, size and number of pictures, without decoding them. */
  inspect(bytes: Uint8Array): Promise<ImageFacts>;
  /** All thumbnails of an image. */
  makeThumbnails(bytes: Uint8Array): Promise<Thumbnails>;
  /** PNG in two sizes. */
  makeAvatar(bytes: Uint8Array): Promise<{ readonly small: Picture; readonly medium: Picture }>;
  /** PNG; or, for what moves, its own type and a `still` PNG. */
  makeEmoji(bytes: Uint8Array): Promise<{ readonly picture: Picture; readonly still?: Picture }>;
  /** A square PNG. */
  makeIcon(bytes: Uint8Array): Promise<Picture>;
  /** A PNG of the shape that was sent, shrunk into its box. */
  makeLogo(bytes: Uint8Array): Promise<Picture>;
}

/** Opens the workshop for pictures. The libraries are loaded with the first one. */
export function openImages(): Images {
  const inTurn = openTurns();
  const work = <T>(bytes: Uint8Array, accepted: readonly ImageType[], make: (facts: ImageFacts) => Promise<T>) => {
    assertOutsideTransaction('work on an image');
    return inTurn(async () => make(await readFacts(bytes, await assertImageType(bytes, accepted))));
  };
  const square = (pixels: number): Drawing => ({ ...STILL, width: pixels, height: pixels, fit: 'cover' });
  return {
    inspect: async (bytes) => work(bytes, THUMBNAIL_TYPES, async (facts) => facts),
    makeThumbnails: async (bytes) => work(bytes, THUMBNAIL_TYPES, (facts) => makeThumbnails(bytes, facts)),
    makeAvatar: async (bytes) =>
      work(bytes, AVATAR_TYPES, async (facts) => ({
        small: await drawPicture(bytes, facts, square(AVATAR_PIXELS)),
        medium: await drawPicture(bytes, facts, square(AVATAR_MEDIUM_PIXELS)),
      })),
    makeEmoji: async (bytes) => work(bytes, EMOJI_TYPES, (facts) => makeEmoji(bytes, facts)),
    makeIcon: async (bytes) => work(bytes, EMOJI_TYPES, (facts) => drawPicture(bytes, facts, square(ICON_PIXELS))),
    makeLogo: async (bytes) => work(bytes, EMOJI_TYPES, (facts) => drawPicture(bytes, facts, LOGO)),
  };
}

const STILL = { type: 'image/png', isAnimated: false } as const;
const TRANSCODED: Drawing = {
  width: MAX_WEBP_PIXELS,
  height: MAX_WEBP_PIXELS,
  fit: 'inside',
  type: 'image/webp',
  isAnimated: false,
};
const LOGO: Drawing = { ...STILL, width: LOGO_WIDTH, height: LOGO_HEIGHT, fit: 'inside' };

async function makeThumbnails(bytes: Uint8Array, facts: ImageFacts): Promise<Thumbnails> {
  const thumbnails = [];
  for (const format of formatsFor(facts.frames)) {
    const { name, max_width: width, max_height: height, animated: isAnimated } = format;
    const drawing: Drawing = { width, height, fit: 'inside', type: 'image/webp', isAnimated };
    thumbnails.push({ ...(await drawPicture(bytes, facts, drawing)), name, format });
  }
  if (!TRANSCODED_TYPES.includes(facts.type)) return { facts, thumbnails };
  const picture = await drawPicture(bytes, facts, TRANSCODED);
  return { facts, thumbnails, transcoded: { ...picture, name: `${picture.width}x${picture.height}.webp` } };
}

async function makeEmoji(bytes: Uint8Array, facts: ImageFacts) {
  const box = { width: EMOJI_PIXELS, height: EMOJI_PIXELS, fit: 'contain' } as const;
  const still = await drawPicture(bytes, facts, { ...box, ...STILL });
  if (facts.frames === 1) return { picture: still };
  const type = facts.type === 'image/gif' ? 'image/gif' : 'image/webp';
  return { picture: await drawPicture(bytes, facts, { ...box, type, isAnimated: true }), still };
}
