import { proxied } from '../addresses/proxy.ts';
import { uploadPathId } from '../addresses/uploads.ts';
import type { Findings } from '../findings.ts';
import type { Lookups } from '../lookups.ts';
import { type Attributes, type Element, element } from '../tree.ts';
import type { UploadFacts } from '../world.ts';
import { hasExtension } from './extensions.ts';

interface Context {
  readonly lookups: Lookups;
  readonly findings: Findings;
}

/** Placeholder for a thumbnail that is not finished (protocol/markdown#images-from-links). */
export const LOADER_URL = '/static/images/loading/loader-black.svg';
const PENDING_CLASS = 'image-loading-placeholder';

const audioTypes: ReadonlySet<string> = new Set([
  'audio/aac',
  'audio/flac',
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
  'audio/webm',
]);
const audioExtensions = ['aac', 'flac', 'm4a', 'mp3', 'wav', 'weba'];

/**
 * Returns the source of an audio player: an upload with an audio type, or an address elsewhere with an audio extension
 * (protocol/markdown#written-images-and-audio).
 */
export function soundSource(href: string, { lookups, findings }: Context): Attributes | undefined {
  const pathId = uploadPathId(href);
  if (pathId !== undefined) {
    if (!audioTypes.has(lookups.upload(pathId)?.content_type ?? '')) return undefined;
    findings.attachments.add(pathId);
    return { src: `/user_uploads/${pathId}` };
  }
  if (!/^https?:\/\//.test(href) || !hasExtension(href, audioExtensions)) return undefined;
  const src = proxied(href, lookups.realm);
  return src === href ? { src } : { src, 'data-original-url': href };
}

/** Makes an audio player; its title is the text, unless that is empty. */
export function player(text: string, source: Attributes): Element {
  return element('audio', {
    controls: 'controls',
    preload: 'metadata',
    ...(text === '' ? {} : { title: text }),
    ...source,
  });
}

/** Returns the source of an inline image; only uploads have one (protocol/markdown#written-images-and-audio). */
export function imageSource(href: string, { lookups, findings }: Context): Attributes | undefined {
  const pathId = uploadPathId(href);
  const upload = pathId === undefined ? undefined : lookups.upload(pathId);
  const shown = upload && thumbnail(upload, findings);
  if (!upload || !shown) return undefined;
  findings.attachments.add(upload.path_id);
  findings.hasImage = true;
  const pending = shown.class === undefined ? '' : ` ${shown.class}`;
  return { ...shown, class: `inline-image${pending}`, 'data-original-src': `/user_uploads/${upload.path_id}` };
}

/** Makes an inline image. */
export function inlineImage(alt: string, title: string | undefined, source: Attributes): Element {
  return element('img', { ...source, alt, ...(title === undefined ? {} : { title }) });
}

/**
 * Returns the attributes of an `img` with an upload's thumbnail or the placeholder; undefined if it has no thumbnail.
 * Records pending thumbnails.
 */
export function thumbnail(upload: UploadFacts, findings: Findings): Record<string, string> | undefined {
  const attributes = thumbnailAttributes(upload);
  if (attributes && upload.thumbnail_format === null) findings.pendingThumbnails.add(upload.path_id);
  return attributes;
}

/** As `thumbnail`, without recording pending ones. */
export function thumbnailAttributes(upload: UploadFacts): Record<string, string> | undefined {
  const { path_id, content_type, width, height, thumbnail_format, transcoded } = upload;
  if (width === null || height === null) return undefined;
  const known = { 'data-original-content-type': content_type, 'data-original-dimensions': `${width}x${height}` };
  if (thumbnail_format === null) return { ...known, class: PENDING_CLASS, src: LOADER_URL };
  return {
    ...known,
    ...(thumbnail_format.includes('-anim') ? { 'data-animated': 'true' } : {}),
    ...(transcoded === null ? {} : { 'data-transcoded-image': transcoded }),
    src: `/user_uploads/thumbnail/${path_id}/${thumbnail_format}`,
  };
}
