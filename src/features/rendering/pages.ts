import { SECONDS_PER_DAY } from '#kernel/clock';
import { page } from '#kernel/endpoint';
import { drawCells } from '#kernel/images';
import { EXTRA_EMOJI_URL, LOADER_URL } from '#kernel/markdown';

/** An animated spinner. */
const LOADER =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><circle cx="20" cy="20" r="15" ' +
  'fill="none" stroke="#000" stroke-opacity="0.4" stroke-width="4" stroke-dasharray="70 25">' +
  '<animateTransform attributeName="transform" type="rotate" from="0 20 20" to="360 20 20" dur="1s" ' +
  'repeatCount="indefinite"/></circle></svg>';

const SKY = [86, 120, 190] as const;
const FEATHER = [250, 250, 250] as const;
const BEAK = [240, 170, 40] as const;
/** The extra emoji: a bird on its perch. See protocol/emoji#types. */
const BIRD = [
  [0, 0, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, 1, 1, 0, 0, 0],
  [0, 0, 0, 1, 0, 2, 2, 0],
  [0, 0, 1, 1, 1, 0, 0, 0],
  [0, 1, 1, 1, 1, 0, 0, 0],
  [1, 1, 1, 1, 0, 0, 0, 0],
  [0, 0, 0, 2, 0, 0, 0, 0],
  [2, 2, 2, 2, 2, 2, 2, 2],
];

const picture = (path: string, contentType: string, body: string | Buffer) =>
  page({
    methods: ['GET'],
    path,
    handle: () =>
      Promise.resolve({
        headers: {
          'content-type': contentType,
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'cache-control': `public, max-age=${SECONDS_PER_DAY}`,
        },
        body,
      }),
  });

/** Pictures that rendered messages refer to. */
export const renderingPages = [
  picture(LOADER_URL, 'image/svg+xml', LOADER),
  picture(EXTRA_EMOJI_URL, 'image/png', drawCells(BIRD, [SKY, FEATHER, BEAK], 8)),
];
