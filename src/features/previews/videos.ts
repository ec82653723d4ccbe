import type { WebsitePreview } from '#kernel/markdown';

/** A video site with an oEmbed endpoint at a known address. See protocol/markdown#video. */
interface VideoSite {
  readonly pages: RegExp;
  readonly endpoint: string;
  /** Matches player HTML of the site that may be shown; undefined if none may. */
  readonly isPlayer: RegExp | undefined;
}

const SITES: readonly VideoSite[] = [
  {
    pages: /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com|youtu\.be)\//,
    endpoint: 'https://www.youtube.com/oembed',
    isPlayer: undefined,
  },
  {
    pages: /^https?:\/\/(?:www\.|player\.)?vimeo\.com\//,
    endpoint: 'https://vimeo.com/api/oembed.json',
    // Accepts only a frame of the site itself, whatever the answer contains.
    isPlayer: /^<iframe src="https:\/\/player\.vimeo\.com\/video\/[^"<>]*"(?: [a-z]+(?:="[^"<>]*")?)*><\/iframe>$/,
  },
];

/** Finds the video site of an address, and the oEmbed request for it; undefined for other addresses. */
export function videoSiteOf(url: string): { readonly site: VideoSite; readonly question: string } | undefined {
  const site = SITES.find(({ pages }) => pages.test(url));
  return site && { site, question: `${site.endpoint}?format=json&url=${encodeURIComponent(url)}` };
}

/** Parses a site's answer about a video; null if it is none. */
export function readVideo({ isPlayer }: VideoSite, answer: string): WebsitePreview | null {
  const said = parse(answer);
  const text = (name: string): string | null => (typeof said[name] === 'string' ? String(said[name]) : null);
  const title = text('title');
  const image = text('thumbnail_url');
  const player = text('html')?.trim() ?? '';
  const isVideo = isPlayer?.test(player) === true && image?.startsWith('https://') === true;
  if (title === null && !isVideo) return null;
  return {
    title,
    description: null,
    image: isVideo ? image : null,
    embedHtml: isVideo ? player : null,
    kind: isVideo ? 'video' : 'card',
  };
}

function parse(answer: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}
