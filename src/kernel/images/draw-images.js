// @ts-check
// What runs in the process that decodes and draws images.
import { answerRequests } from './answer-requests.js';

/** The only enabled loaders; SVG, PDF and all others stay blocked whatever the bytes look like. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((name) => `VipsForeignLoad${name}`);
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

const { default: sharp } = await import('sharp');
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS });
sharp.cache(false);

/**
 * Opens an image with its first frames, without decoding it.
 * @param {Uint8Array} bytes
 * @param {import('./image-process.ts').Opening} opening
 */
function open(bytes, { pages, maxPixels, timeoutSeconds }) {
  const options = { pages, limitInputPixels: maxPixels, failOn: /** @type {const} */ ('error'), autoOrient: true };
  return sharp(bytes, options).timeout({ seconds: timeoutSeconds });
}

/**
 * What the image says of itself, without profiles and comments.
 * @param {Uint8Array} bytes
 * @param {import('./image-process.ts').Opening} opening
 * @returns {Promise<import('./image-process.ts').ImageMetadata>}
 */
async function read(bytes, opening) {
  const metadata = await open(bytes, opening).metadata();
  const { format, width, height, channels, depth, isProgressive, chromaSubsampling, pages, autoOrient } = metadata;
  return { format, width, height, channels, depth, isProgressive, chromaSubsampling, pages, autoOrient };
}

/**
 * @param {Uint8Array} bytes
 * @param {import('./image-process.ts').Opening} opening
 * @param {import('./pictures.ts').Drawing} drawing
 */
async function draw(bytes, opening, { width, height, fit, type }) {
  const box = { width, height, fit, withoutEnlargement: fit === 'inside', background: TRANSPARENT };
  const drawn = encode(open(bytes, opening).resize(box), type);
  const { data, info } = await drawn.toBuffer({ resolveWithObject: true });
  // The frames of an animation are below each other; the height is that of one frame.
  return { bytes: data, type, width: info.width, height: info.pageHeight ?? info.height };
}

/**
 * @param {import('sharp').Sharp} image
 * @param {import('./pictures.ts').Picture['type']} type
 */
function encode(image, type) {
  switch (type) {
    case 'image/gif':
      // Its usual effort takes twice the time: 11 seconds for an emoji of 1,000 frames, from a file of 1 MB.
      return image.gif({ effort: 1 });
    case 'image/png':
      return image.png();
    case 'image/webp':
      return image.webp();
  }
}

answerRequests(async (/** @type {import('./image-process.ts').ImageRequest} */ { opening, drawing }, bytes) =>
  drawing ? draw(bytes, opening, drawing) : read(bytes, opening),
);
