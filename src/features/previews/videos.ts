import type { WebsitePreview } from '#kernel/markdown';
import { fieldsIn, parseJson, truncate } from '#kernel/text';

/** A video site with an oEmbed endpoint at a known address. See protocol/markdown#video. */
interface VideoSite {
  readonly pages: RegExp;
  readonly endpoint: string;
  /** Matches player HTML of the site that may be shown; undefined if none may. */
  readonly isPlayer: RegExp | undefined;
}

const PLAYER_ATTRIBUTES =
  'width|height|frameborder|allow|(?:webkit|moz)?allowfullscreen|referrerpolicy|title|loading|scrolling';
/** Longest title of a card, in code points; longest texts of an answer that are looked at, in UTF-16 units. */
const MAX_TITLE = 200;
const MAX_RAW_TITLE = 2000;
const MAX_PLAYER = 4000;
const MAX_ADDRESS = 2000;

const SITES: readonly VideoSite[] = [
  {
    pages: /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com|youtu\.be)\//,
    endpoint: 'https://www.youtube.com/oembed',
    isPlayer: undefined,
  },
  {
    pages: /^https?:\/\/(?:www\.|player\.)?vimeo\.com\//,
    endpoint: 'https://vimeo.com/api/oembed.json',
    // Accepts only a frame of the site itself, whatever the answer contains: another attribute may be a script, or a page
    // (`srcdoc`).
    isPlayer: new RegExp(
      `^<iframe src="https://player\\.vimeo\\.com/video/[^"<>]*"(?: (?:${PLAYER_ATTRIBUTES})(?:="[^"<>]*")?)*></iframe>$`,
    ),
  },
];

/** Finds the video site of an address, and the oEmbed request for it; undefined for other addresses. */
export function videoSiteOf(url: string): { readonly site: VideoSite; readonly question: string } | undefined {
  const site = SITES.find(({ pages }) => pages.test(url));
  return site && { site, question: `${site.endpoint}?format=json&url=${encodeURIComponent(url)}` };
}

/** Parses a site's answer about a video; null if it is none. */
export function readVideo({ isPlayer }: VideoSite, answer: string): WebsitePreview | null {
  const said = fieldsIn(parseJson(answer));
  const text = (name: string, max: number): string | null => {
    const value = said[name];
    return typeof value === 'string' && value.length <= max ? value : null;
  };
  const title = text('title', MAX_RAW_TITLE);
  const image = text('thumbnail_url', MAX_ADDRESS);
  const player = text('html', MAX_PLAYER)?.trim() ?? '';
  const isVideo = isPlayer?.test(player) === true && image?.startsWith('https://') === true;
  if (title === null && !isVideo) return null;
  return {
    title: title === null ? null : truncate(title, MAX_TITLE, '…'),
    description: null,
    image: isVideo ? image : null,
    embedHtml: isVideo ? player : null,
    kind: isVideo ? 'video' : 'card',
  };
}
