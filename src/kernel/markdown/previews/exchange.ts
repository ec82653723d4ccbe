import { LOADER_URL, thumbnailAttributes } from '../elements/media.ts';
import { escapeAttribute } from '../escape.ts';
import type { UploadFacts } from '../world.ts';

// Patterns for what `serialize` writes: texts have no `<` or `>`, values no quotes, and attributes are in alphabetical
// order.
const preview =
  /<div class="message_inline_image"><a href="\/user_uploads\/([^"<>]+)"( title="[^"<>]*")?><img class="image-loading-placeholder"[^<>]*><\/a><\/div>/g;
const inline =
  /<img alt="[^"<>]*" class="inline-image image-loading-placeholder"[^<>]* data-original-src="\/user_uploads\/([^"<>]+)"[^<>]*>/g;
const attribute = /([a-z-]+)="([^"<>]*)"/g;

/**
 * Returns the uploads in rendered HTML whose thumbnails were pending when it was made
 * (protocol/markdown#images-from-links).
 */
export function pendingIn(html: string): string[] {
  if (!html.includes(LOADER_URL)) return [];
  return [...new Set([preview, inline].flatMap((shape) => [...html.matchAll(shape)].map(([, path = '']) => path)))];
}

/**
 * Replaces placeholders in rendered HTML by thumbnails that are finished now; pending ones stay, and those that failed
 * are removed (protocol/markdown#images-from-links, protocol/markdown#cleaner-results).
 */
export function exchangeThumbnails(html: string, uploads: readonly UploadFacts[]): string {
  if (!html.includes(LOADER_URL)) return html;
  const known = new Map(uploads.map((upload) => [upload.path_id, upload]));
  return html
    .replace(preview, (whole, path: string, title = '') =>
      exchanged(whole, known.get(path), (shown) => {
        const link = `<a href="/user_uploads/${path}"${title}>`;
        return `<div class="message_inline_image">${link}<img${written(shown)}></a></div>`;
      }),
    )
    .replace(inline, (whole, path: string) =>
      exchanged(whole, known.get(path), (shown) => {
        const allowed = [...whole.matchAll(attribute)].filter(([, name = '']) => KEPT.has(name));
        const attributes = Object.fromEntries(allowed.map(([, name = '', value = '']) => [name, value]));
        return `<img${written({ ...shown, ...attributes, class: 'inline-image' })}>`;
      }),
    )
    .trim();
}

/** Whether rendered HTML has an image (protocol/markdown#result, has_image). */
export function showsImage(html: string): boolean {
  return /class="(?:[a-z-]+ )?(?:message_inline_image|inline-image)/.test(html);
}

/** Attributes of an inline image that do not depend on its thumbnail. */
const KEPT: ReadonlySet<string> = new Set(['alt', 'data-original-src', 'title']);

function exchanged(
  whole: string,
  upload: UploadFacts | undefined,
  show: (attributes: Readonly<Record<string, string>>) => string,
): string {
  const attributes = upload && thumbnailAttributes(upload);
  if (!attributes) return '';
  return upload.thumbnail_format === null ? whole : show(escaped(attributes));
}

const escaped = (attributes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, escapeAttribute(value)]));

function written(attributes: Readonly<Record<string, string>>): string {
  return Object.keys(attributes)
    .sort()
    .map((name) => ` ${name}="${attributes[name] ?? ''}"`)
    .join('');
}
