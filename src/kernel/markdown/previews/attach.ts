import { uploadPathId } from '../addresses/uploads.ts';
import type { Findings } from '../findings.ts';
import type { Lookups } from '../lookups.ts';
import { type Element, text, textOf } from '../tree.ts';
import type { WebsitePreview } from '../world.ts';
import { collectLinks, type FoundLink, type NamedLink } from './collect.ts';
import { imagePreview } from './images.ts';
import { placePreview } from './place.ts';
import { videoPreview, youtubeId, youtubePreview } from './videos.ts';
import { photoPreview, playerPreview, websiteCard } from './websites.ts';

/**
 * Most distinct addresses in a message with previews; if there are more, none gets one (protocol/markdown#previews).
 */
const MAX_PREVIEWS = 24;

interface Context {
  readonly root: Element;
  readonly lookups: Lookups;
  readonly findings: Findings;
  /** Website cards, which are all at the end. */
  readonly cards: Element[];
}

/** Records the links of a finished tree, and adds their previews (protocol/markdown#previews). */
export function attachPreviews(root: Element, lookups: Lookups, findings: Findings): void {
  if (!findings.hasLink) return;
  const links = collectLinks(root);
  const first = new Map<string, FoundLink>();
  for (const found of links) {
    const pathId = uploadPathId(found.url);
    if (pathId !== undefined) findings.attachments.add(pathId);
    if (!found.quoted && first.size <= MAX_PREVIEWS && !first.has(found.url)) first.set(found.url, found);
  }
  if (first.size > MAX_PREVIEWS) return;
  const context: Context = { root, lookups, findings, cards: [] };
  for (const { url, link, parent, grandparent, quoted } of first.values())
    attachOne({ url, link, parent, grandparent, quoted, text: textOf(link) }, context);
  root.children.push(...context.cards);
}

function attachOne(found: NamedLink, context: Context): void {
  const { lookups, findings, root } = context;
  const title = found.text === found.url ? undefined : found.text;
  if (lookups.world.imagePreviews) {
    const media = videoPreview(found.url, title, lookups.realm) ?? imagePreview(found.url, title, context);
    if (media) {
      findings.hasImage ||= media.attributes['class'] === 'message_inline_image';
      placePreview(root, found, media, 'may replace');
      return;
    }
  }
  if (isOwn(found.url, lookups)) return;
  const id = youtubeId(found.url);
  if (id !== undefined && lookups.world.imagePreviews) {
    findings.hasImage = true;
    placePreview(root, found, youtubePreview(found.url, id, lookups.realm), 'never replaces');
  }
  if (lookups.world.websitePreviews) attachWebsite(found, id !== undefined, context);
}

/** Relative addresses and those of the realm itself are not fetched. */
function isOwn(url: string, { realm }: Lookups): boolean {
  return !/^https?:\/\//.test(url) || (realm !== null && (url === realm.url || url.startsWith(`${realm.url}/`)));
}

function attachWebsite(found: NamedLink, isYoutube: boolean, context: Context): void {
  const { lookups, findings } = context;
  const page = lookups.world.websites.get(found.url);
  if (page === undefined) findings.previewLinks.add(found.url);
  if (!page) return;
  if (isYoutube) {
    nameLink(found, page, 'YouTube');
    return;
  }
  attachPage(found, page, context);
  if (/^https?:\/\/(?:www\.|player\.)?vimeo\.com\//.test(found.url)) nameLink(found, page, 'Vimeo');
}

function attachPage(found: NamedLink, page: WebsitePreview, { root, lookups, findings, cards }: Context): void {
  if (page.kind === 'photo' && page.image !== null) {
    findings.hasImage = true;
    placePreview(root, found, photoPreview(found.url, page.image, lookups.realm), 'never replaces');
  } else if (page.kind === 'video' && page.image !== null && page.embedHtml !== null) {
    findings.hasImage = true;
    const player = { html: page.embedHtml, image: page.image };
    placePreview(
      root,
      found,
      playerPreview(found.url, page.title ?? undefined, player, lookups.realm),
      'never replaces',
    );
  } else {
    const card = websiteCard(found.url, page, lookups.realm);
    if (card) cards.push(card);
  }
}

/** If a video's link shows its bare address, the video's title is shown instead. */
function nameLink(found: NamedLink, page: WebsitePreview, site: string): void {
  if (page.title && found.text === found.url) found.link.children = [text(`${site} - ${page.title}`)];
}
