import type { WebsitePreview } from '#kernel/markdown';
import { truncate } from '#kernel/text';
import { startTags } from './html-tags.ts';

/** Longest texts of a card, in code points. */
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;
/** Longest address of a picture, in UTF-16 units. */
const MAX_ADDRESS = 2000;
/** Longest title in a page that is searched for, in UTF-16 units. */
const MAX_RAW_TITLE = 2000;

/**
 * Reads a page's preview from Open Graph tags, or from its title and description; null if there is none. See
 * protocol/markdown#website-cards.
 */
export function readPage(html: string, address: string): WebsitePreview | null {
  const said = new Map<string, string>();
  for (const { name, attributes, end } of startTags(html)) {
    if (name === 'meta') {
      const key = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase();
      const content = attributes.get('content');
      if (content !== undefined && !said.has(key)) said.set(key, content);
    } else if (name === 'title' && !said.has('title')) {
      const raw = html.slice(end, end + MAX_RAW_TITLE).replace(/^>/, '');
      said.set('title', raw.slice(0, Math.max(0, raw.indexOf('<'))));
    } else if (name === 'body') break;
  }
  const first = (...keys: readonly string[]) => keys.map((key) => said.get(key)).find((text) => text?.trim());
  const title = asText(first('og:title', 'title'), MAX_TITLE);
  const image = asAddress(first('og:image:secure_url', 'og:image', 'og:image:url'), address);
  if (title === null && image === null) return null;
  const description = asText(first('og:description', 'description'), MAX_DESCRIPTION);
  return { title, description, image, embedHtml: null, kind: 'card' };
}

function asText(raw: string | undefined, max: number): string | null {
  if (raw === undefined) return null;
  const text = truncate(
    decoded(raw)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    max,
    '…',
  );
  return text === '' ? null : text;
}

/** The absolute address of a picture; only http and https. */
function asAddress(raw: string | undefined, base: string): string | null {
  const text = decoded(raw ?? '').trim();
  if (text === '' || text.length > MAX_ADDRESS || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Decodes common entities of a text. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name)] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}
