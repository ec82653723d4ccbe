import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#kernel/errors';
import { openLog } from '#kernel/log';
import { insideTransaction } from '#kernel/scope';
import { chunk, manyFrames, pngWithTexts } from '../../../test/support/picture-bombs.ts';
import { least, processorMs } from '../../../test/support/processor.ts';
import { animation, colourAt, halves, plain } from '../../../test/support/pictures.ts';
import { opening, refusing } from './decoder.ts';
import { ImageCorrupt } from './faults.ts';
import { ImageProcess } from './image-process.ts';
import { isBadImage, openImages, sniffImageType, THUMBNAIL_FORMATS } from './index.ts';

const MIB = 2 ** 20;
const log = openLog('silent');
const opened = openImages(log);
/** As `openImages`, with bytes for what reads them. */
const images = {
  ...opened,
  inspect: (bytes: Uint8Array) => opened.inspect(() => Promise.resolve(bytes)),
  makeThumbnails: (bytes: Uint8Array) => opened.makeThumbnails(() => Promise.resolve(bytes)),
};
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const FORMAT_INVALID = 'Invalid image format';
const UNDECODABLE = 'Could not decode image; did you upload an image file?';
const TOO_LARGE = 'Image size exceeds limit.';
const CORRUPT = 'Image is corrupted or truncated';

/** A PNG that says it has `width` × `height` pixels and has none of them. */
function pngClaiming(width: number, height: number, { bits = 8, interlaced = 0 } = {}): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  const header = Buffer.concat([size, Buffer.from([bits, 6, 0, 0, interlaced])]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(64))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

async function factsOf(bytes: Uint8Array) {
  const { format, width, pageHeight, height, pages = 1 } = await sharp(bytes, { pages: -1 }).metadata();
  return { format, width, height: pageHeight ?? height, pages };
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('no fault'),
    (fault: unknown) => fault,
  );
  expect(isBadImage(error)).toBe(true);
  return error instanceof ApiError ? `${error.row.status} ${error.row.code} ${error.message}` : 'another fault';
}

/** Copies of a row that count while an image is shrunk. */
const COPIES = 6;
const rowsOf = (width: number, bytesPerPixel: number): number => 500 * COPIES * width * bytesPerPixel;
const bad = (message: string): string => `400 BAD_IMAGE ${message}`;

describe('an image', () => {
  it.each(['avif', 'gif', 'jpeg', 'png', 'tiff', 'webp'] as const)(
    'of type %s is known by its bytes',
    async (format) => {
      const bytes = await plain(30, 20).toFormat(format).toBuffer();
      expect(await sniffImageType(bytes)).toBe(`image/${format}`);
      expect(await images.inspect(bytes)).toEqual({ type: `image/${format}`, width: 30, height: 20, frames: 1 });
    },
  );

  it('has the size in which it is shown', async () => {
    const bytes = await plain(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await images.inspect(bytes)).toMatchObject({ width: 20, height: 30 });
  });

  it.each(['gif', 'webp'] as const)('of type %s may move', async (format) => {
    const bytes = await (await animation(5, [30, 20])).toFormat(format).toBuffer();
    expect(await images.inspect(bytes)).toEqual({ type: `image/${format}`, width: 30, height: 20, frames: 5 });
  });

  it('is worked on outside transactions only', async () => {
    const bytes = await plain(3, 2).png().toBuffer();
    await insideTransaction(async () => {
      await expect(images.inspect(bytes)).rejects.toThrow('work on an image must not run inside a transaction');
    });
  });
});

describe('what is no image (protocol/files#image-faults, security#holes, rows 20 and 37)', () => {
  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['HTML', '<!DOCTYPE html><script>alert(1)</script>'],
    ['SVG', SVG],
    ['SVG with a declaration', `<?xml version="1.0"?>${SVG}`],
    ['PDF', '%PDF-1.7\n1 0 obj'],
    ['PostScript', '%!PS-Adobe-3.0 EPSF-3.0'],
    ['BMP', 'BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'],
    ['a portable pixmap', 'P6\n1 1\n255\nabc'],
    ['ICO', '\0\0\x01\0\x01\0\x10\x10\0\0\x01\0'],
  ])('%s is refused', async (_what, text) => {
    const bytes = Buffer.from(text, 'latin1');
    for (const work of ['inspect', 'makeThumbnails', 'makeAvatar', 'makeEmoji', 'makeIcon', 'makeLogo'] as const) {
      expect(await faultOf(images[work](bytes))).toBe(bad(FORMAT_INVALID));
    }
  });

  it.each([
    ['PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]],
    ['JPEG', [0xff, 0xd8, 0xff, 0xe0]],
    ['GIF', [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
  ])('the first bytes of a %s before HTML are not enough', async (_what, head) => {
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from('<html><script>alert(1)</script></html>'.repeat(9))]);
    expect(await faultOf(images.makeAvatar(bytes))).toBe(bad(UNDECODABLE));
  });

  it('a HEIC that cannot be decoded is named so, not served', async () => {
    const head = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
    expect(await sniffImageType(head)).toBe('image/heic');
    expect(await faultOf(images.makeThumbnails(head))).toBe(bad(UNDECODABLE));
    expect(await faultOf(images.makeAvatar(head))).toBe(bad(FORMAT_INVALID));
  });

  it('the readers of other types are shut, should bytes ever reach them', async () => {
    const decoder = new ImageProcess(log);
    expect(await decoder.read(await plain(9, 9).png().toBuffer(), opening())).toMatchObject({ format: 'png' });
    await expect(decoder.read(Buffer.from(SVG), opening())).rejects.toThrow('unsupported image format');
  });

  it('the types that are taken differ', async () => {
    const [tiff, avif] = await Promise.all([plain(9, 9).tiff().toBuffer(), plain(9, 9).avif().toBuffer()]);
    await images.makeAvatar(tiff);
    for (const work of ['makeEmoji', 'makeIcon', 'makeLogo'] as const) {
      expect(await faultOf(images[work](tiff))).toBe(bad(FORMAT_INVALID));
    }
    expect(await faultOf(images.makeAvatar(avif))).toBe(bad(FORMAT_INVALID));
  });

  it.each(['png', 'jpeg'] as const)('a %s that ends too early is corrupt', async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 200, height: 200, channels: 3, background: 'black', noise } as const;
    const whole = await sharp({ create }).toFormat(format).toBuffer();
    await images.makeAvatar(whole);
    expect(await faultOf(images.makeAvatar(whole.subarray(0, whole.length >> 1)))).toBe(bad(CORRUPT));
  });
});

describe('the bounds of an image', () => {
  it('are 50 million pixels, refused by what the file says, before it is decoded', async () => {
    expect(await faultOf(images.inspect(pngClaiming(100_000, 100_000)))).toBe(bad(TOO_LARGE));
    expect(await faultOf(images.makeThumbnails(pngClaiming(10_000, 5_001)))).toBe(bad(TOO_LARGE));
    expect(await images.inspect(pngClaiming(10_000, 5_000))).toMatchObject({ width: 10_000, height: 5_000 });
  });

  it.each([
    ['an AVIF', 17, 0, (image: Sharp) => image.avif({ effort: 0 })],
    ['a GIF', 4, 4, (image: Sharp) => image.gif({ effort: 1 })],
    ['a TIFF of 16 bits', 6, 6, (image: Sharp) => image.toColourspace('rgb16').tiff({ compression: 'deflate' })],
  ])('are 210 MiB of %s, which is decoded whole, and of rows', async (_what, bytesPerPixel, bytesInRows, encoded) => {
    const rows = Math.floor((210 * MIB - rowsOf(8_000, bytesInRows)) / bytesPerPixel / 8_000);
    const image = (height: number) => encoded(plain(8_000, height)).toBuffer();
    expect(await faultOf(images.inspect(await image(rows + 1)))).toBe(bad(TOO_LARGE));
    expect(await images.inspect(await image(rows))).toMatchObject({ width: 8_000, height: rows });
  });

  it.each([
    ['a GIF of 5,001 frames', manyFrames('gif', 5_001)],
    ['a WebP of 5,001 frames', manyFrames('webp', 5_001)],
    ['a TIFF of 5,001 pages', manyFrames('tiff', 5_001)],
    ['a BigTIFF of 5,001 pages', manyFrames('bigtiff', 5_001)],
    ['a PNG with texts that unpack to 70 MiB', pngWithTexts('zTXt', 10)],
    ['a PNG with international texts that unpack to 70 MiB', pngWithTexts('iTXt', 10)],
  ])('leave out %s, of which a decoder reads everything before it draws', async (_what, bytes) => {
    expect(await faultOf(images.makeThumbnails(await bytes))).toBe(bad(TOO_LARGE));
  });

  it.each([
    ['a GIF of 5,000 frames', manyFrames('gif', 5_000)],
    ['a WebP of 5,000 frames', manyFrames('webp', 5_000)],
    ['a TIFF of 5,000 pages', manyFrames('tiff', 5_000)],
    ['a BigTIFF of 5,000 pages', manyFrames('bigtiff', 5_000)],
    ['a PNG with texts that unpack to 56 MiB', pngWithTexts('zTXt', 8)],
    ['a PNG with international texts that unpack to 56 MiB', pngWithTexts('iTXt', 8)],
  ])('leave in %s', async (_what, bytes) => {
    expect(await images.inspect(await bytes)).toMatchObject({ width: 9 });
  });

  it('step over 64 MiB of the smallest parts in a moment', async () => {
    const [png, gif] = [await plain(9, 9).png().toBuffer(), await plain(9, 9).gif().toBuffer()];
    const texts = Buffer.alloc(60 * MIB, chunk('tEXt', Buffer.from('k\0v', 'latin1')));
    const blocks = Buffer.concat([Buffer.from([0x21, 0xfe]), Buffer.alloc(60 * MIB, 1)]);
    for (const bytes of [Buffer.concat([png.subarray(0, 33), texts]), Buffer.concat([gif.subarray(0, -1), blocks])]) {
      const inspect = () => faultOf(images.inspect(bytes));
      expect(await least(100, () => processorMs(inspect))).toBeLessThan(100);
    }
  });

  it('are 210 MiB of what a decoder has to hold at once', async () => {
    const rows = (bits: number) => Math.floor((210 * MIB - rowsOf(4_000, bits / 2)) / (bits / 2) / 4_000);
    for (const bits of [8, 16]) {
      const png = (height: number, interlaced: number) => pngClaiming(4_000, height, { bits, interlaced });
      expect(await faultOf(images.inspect(png(rows(bits) + 1, 1)))).toBe(bad(TOO_LARGE));
      expect(await images.inspect(png(rows(bits), 1))).toMatchObject({ height: rows(bits) });
      expect(await images.inspect(png(rows(bits) + 1, 0))).toMatchObject({ height: rows(bits) + 1 });
    }
    const jpeg = (height: number, progressive: boolean) =>
      plain(8_000, height).jpeg({ progressive, chromaSubsampling: '4:4:4', quality: 1 }).toBuffer();
    expect(await faultOf(images.inspect(await jpeg(3_300, true)))).toBe(bad(TOO_LARGE));
    expect(await images.inspect(await jpeg(3_000, true))).toMatchObject({ height: 3_000 });
    expect(await images.inspect(await jpeg(3_300, false))).toMatchObject({ height: 3_300 });
  });

  it('are 210 MiB of 500 rows, of which one of 65,000 pixels took 535 MiB', async () => {
    const widest = Math.floor((210 * MIB) / 500 / COPIES / 4);
    expect(await faultOf(images.inspect(pngClaiming(widest + 1, 600)))).toBe(bad(TOO_LARGE));
    expect(await images.inspect(pngClaiming(widest, 600))).toMatchObject({ width: widest });
    expect(await faultOf(images.makeAvatar(pngClaiming(65_000, 700)))).toBe(bad(TOO_LARGE));
    expect(await images.inspect(pngClaiming(65_000, 100))).toMatchObject({ width: 65_000 });
    const jpeg = await plain(30_000, 600).jpeg({ quality: 1 }).toBuffer();
    expect(await faultOf(images.inspect(jpeg))).toBe(bad(TOO_LARGE));
  });

  it('are 64 MiB', async () => {
    const bytes = Buffer.concat([await plain(9, 9).png().toBuffer(), Buffer.alloc(64 * 1024 * 1024)]);
    expect(await faultOf(images.inspect(bytes))).toBe(bad(TOO_LARGE));
  });

  it('let an animation of more pixels end early', async () => {
    const bytes = await (await animation(3, [4_500, 4_500])).gif({ effort: 1 }).toBuffer();
    const { facts, thumbnails } = await images.makeThumbnails(bytes);
    expect(facts.frames).toBe(3);
    expect((await factsOf(thumbnails[0]?.bytes ?? bytes)).pages).toBe(2);
  });
});

describe('an animation of more pictures than anybody looks at', () => {
  it('ends early: 100,000 of one pixel each took twenty seconds, in which no other image was worked on', async () => {
    const bytes = await (await animation(1_100, [1, 1])).gif({ effort: 1 }).toBuffer();
    const { picture } = await images.makeEmoji(bytes);
    expect((await factsOf(picture.bytes)).pages).toBe(1_000);
  });
});

describe('a picture that takes long to draw', () => {
  it('is given up after the time that it has', async () => {
    const decoder = new ImageProcess(log);
    const bytes = await (await animation(120, [400, 400])).gif({ effort: 1 }).toBuffer();
    const hasty = { ...opening(120), timeoutSeconds: 1 };
    await decoder.read(bytes, hasty);
    const drawing = { width: 1600, height: 1600, fit: 'cover', type: 'image/webp', isAnimated: true } as const;
    const error = await decoder.draw(hasty, drawing).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ message: expect.stringContaining('timeout') });
    expect(() => refusing(ImageCorrupt)(error)).toThrow(TOO_LARGE);
  });
});

describe('images of several people', () => {
  it('are processed by turns, and of one person at most twenty wait', async () => {
    const other = openImages(log);
    const [slow, quick] = [await (await animation(200, [64, 64])).gif().toBuffer(), await plain(9, 9).png().toBuffer()];
    const ended: string[] = [];
    // The processes start first: that takes longer than an image on a busy machine.
    await Promise.all([other.inspect(() => Promise.resolve(quick)), other.makeAvatar(quick, 2)]);
    const first = Array.from({ length: 22 }, async (_none, index) =>
      other.makeEmoji(slow, 1).then(
        () => ended.push(`one's ${index}`),
        ({ row }: ApiError) => ended.push(row.code),
      ),
    );
    const read = other.inspect(() => Promise.resolve(quick)).then(() => ended.push('read'));
    await other.makeAvatar(quick, 2).then(() => ended.push("another's"));
    await read;
    expect(ended).toEqual(['SERVER_NOT_READY', 'read', "one's 0", "one's 1", "another's"]);
    await Promise.all(first);
    expect(ended).toHaveLength(24);
  });

  it('are in memory one at a time', async () => {
    const other = openImages(log);
    const bytes = await plain(900, 900).png().toBuffer();
    for (const name of ['makeThumbnails', 'inspect'] as const) {
      let read = 0;
      const works = Array.from({ length: 3 }, () => other[name](async () => (read++, bytes)));
      await works[0];
      expect(read).toBeLessThan(3);
      await Promise.all(works);
      expect(read).toBe(3);
    }
  });
});

describe('thumbnails', () => {
  it('fit into their box in every form, and smaller images keep their size', async () => {
    const large = await images.makeThumbnails(await plain(2_000, 3_000).jpeg().toBuffer());
    expect(large.facts).toMatchObject({ width: 2_000, height: 3_000 });
    expect(large.thumbnails.map(({ name }) => name)).toEqual(['840x560.webp']);
    expect(large.thumbnails[0]).toMatchObject({ width: 373, height: 560, type: 'image/webp' });
    expect(await factsOf(large.thumbnails[0]?.bytes ?? Buffer.alloc(0))).toMatchObject({ format: 'webp', width: 373 });
    const small = await images.makeThumbnails(await plain(30, 20).png().toBuffer());
    expect(small.thumbnails[0]).toMatchObject({ width: 30, height: 20 });
    expect(small).not.toHaveProperty('transcoded');
  });

  it('of what moves are two: one that moves and one that stands', async () => {
    const bytes = await (await animation(3, [1_680, 560])).gif({ delay: [100, 200, 300], loop: 2 }).toBuffer();
    const { thumbnails } = await images.makeThumbnails(bytes);
    expect(thumbnails.map(({ name }) => name)).toEqual(['840x560-anim.webp', '840x560.webp']);
    expect(thumbnails.map(({ format }) => format)).toEqual(THUMBNAIL_FORMATS);
    const [moving, still] = thumbnails;
    expect(moving).toMatchObject({ width: 840, height: 280 });
    const metadata = await sharp(moving?.bytes, { pages: -1 }).metadata();
    expect(metadata).toMatchObject({ pages: 3, pageHeight: 280, delay: [100, 200, 300], loop: 2 });
    expect(await factsOf(still?.bytes ?? bytes)).toEqual({ format: 'webp', width: 840, height: 280, pages: 1 });
    expect(await colourAt(still?.bytes ?? bytes, 400, 100)).toBe('red');
  });

  it('stand upright', async () => {
    const bytes = await (await halves(300, 200)).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { thumbnails } = await images.makeThumbnails(bytes);
    expect(thumbnails[0]).toMatchObject({ width: 200, height: 300 });
    expect(await colourAt(thumbnails[0]?.bytes ?? bytes, 100, 20)).toBe('red');
    expect(await colourAt(thumbnails[0]?.bytes ?? bytes, 100, 280)).toBe('blue');
  });

  it('of what browsers do not draw come with the whole image as WebP', async () => {
    const { transcoded, thumbnails } = await images.makeThumbnails(await plain(1_200, 900).tiff().toBuffer());
    expect(thumbnails).toHaveLength(1);
    expect(transcoded).toMatchObject({ name: '1200x900.webp', width: 1_200, height: 900, type: 'image/webp' });
    expect(await factsOf(transcoded?.bytes ?? Buffer.alloc(0))).toMatchObject({ format: 'webp', width: 1_200 });
    const long = await images.makeThumbnails(await plain(20_000, 10).tiff().toBuffer());
    expect(long.transcoded?.width).toBe(16_383);
    const large = await images.makeThumbnails(await plain(8_000, 5_000).tiff().toBuffer());
    expect(large.transcoded).toMatchObject({ width: 4_000, height: 2_500 });
  });
});

describe('an avatar', () => {
  it('is a PNG of 100 and one of 500 pixels, cut from the middle', async () => {
    const bytes = await (await halves(600, 200)).png().toBuffer();
    const { small, medium } = await images.makeAvatar(bytes);
    expect(await factsOf(small.bytes)).toEqual({ format: 'png', width: 100, height: 100, pages: 1 });
    expect(await factsOf(medium.bytes)).toEqual({ format: 'png', width: 500, height: 500, pages: 1 });
    expect(await colourAt(medium.bytes, 100, 250)).toBe('red');
    expect(await colourAt(medium.bytes, 400, 250)).toBe('blue');
    const larger = await images.makeAvatar(await plain(9, 9).gif().toBuffer());
    expect(larger.medium).toMatchObject({ width: 500, height: 500, type: 'image/png' });
  });

  it('says nothing of where and with what it was taken', async () => {
    const where = { IFD0: { Copyright: 'Max Member' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
    const bytes = await plain(300, 300).withExif(where).jpeg().toBuffer();
    expect(bytes.includes('Max Member')).toBe(true);
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const { small, medium } = await images.makeAvatar(bytes);
    const thumbnail = (await images.makeThumbnails(bytes)).thumbnails[0]?.bytes ?? bytes;
    for (const made of [small.bytes, medium.bytes, thumbnail]) {
      const metadata = await sharp(made).metadata();
      expect([metadata.exif, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined]);
      expect(made.includes('Max Member')).toBe(false);
    }
  });

  it('carries nothing that was hidden behind the image', async () => {
    const bytes = Buffer.concat([await plain(50, 50).png().toBuffer(), Buffer.from('<script>alert(1)</script>')]);
    const { small } = await images.makeAvatar(bytes);
    expect(small.bytes.includes('script')).toBe(false);
  });
});

describe('an emoji', () => {
  it('is a PNG of 64 pixels that shows the whole image', async () => {
    const { picture, still } = await images.makeEmoji(await plain(200, 100).jpeg().toBuffer());
    expect(await factsOf(picture.bytes)).toEqual({ format: 'png', width: 64, height: 64, pages: 1 });
    expect(await colourAt(picture.bytes, 32, 32)).toBe('red');
    expect(await colourAt(picture.bytes, 32, 2)).toBe('none');
    expect(still).toBeUndefined();
  });

  it.each(['gif', 'webp'] as const)('that moves stays a %s, with a still PNG', async (format) => {
    const bytes = await (await animation(3, [128, 128])).toFormat(format, { delay: [50, 60, 70] }).toBuffer();
    const { picture, still } = await images.makeEmoji(bytes);
    expect(picture.type).toBe(`image/${format}`);
    expect(await factsOf(picture.bytes)).toEqual({ format, width: 64, height: 64, pages: 3 });
    expect(await factsOf(still?.bytes ?? bytes)).toEqual({ format: 'png', width: 64, height: 64, pages: 1 });
  });
});

describe('an icon and a logo', () => {
  it('are a square PNG and one that keeps its shape', async () => {
    const bytes = await plain(4_000, 250).webp().toBuffer();
    expect(await images.makeIcon(bytes)).toMatchObject({ width: 100, height: 100, type: 'image/png' });
    expect(await images.makeLogo(bytes)).toMatchObject({ width: 800, height: 50, type: 'image/png' });
    const small = await plain(120, 40).png().toBuffer();
    expect(await images.makeLogo(small)).toMatchObject({ width: 120, height: 40 });
  });
});
