import { proxied } from '../addresses/proxy.ts';
import { uploadPathId } from '../addresses/uploads.ts';
import { hasExtension } from '../elements/extensions.ts';
import { thumbnail } from '../elements/media.ts';
import type { Findings } from '../findings.ts';
import type { Lookups } from '../lookups.ts';
import { type Element, element } from '../tree.ts';
import { dropboxSource, isDropboxPage, mediaPreview } from './videos.ts';

const imageExtensions = ['bmp', 'gif', 'jpe', 'jpeg', 'jpg', 'png', 'webp'];
const IMAGE = 'message_inline_image';

/**
 * Makes the preview of an image: an upload that is one, or an address with an image extension
 * (protocol/markdown#images-from-links).
 */
export function imagePreview(
  url: string,
  title: string | undefined,
  context: { lookups: Lookups; findings: Findings },
): Element | undefined {
  const pathId = uploadPathId(url);
  if (pathId !== undefined) {
    const upload = context.lookups.upload(pathId);
    const shown = upload && thumbnail(upload, context.findings);
    return shown && mediaPreview(IMAGE, `/user_uploads/${pathId}`, title, element('img', shown));
  }
  const special = specialAddress(url);
  if (special === undefined || !hasExtension(special.page, imageExtensions)) return undefined;
  return mediaPreview(
    IMAGE,
    special.link,
    title,
    element('img', { src: proxied(special.source, context.lookups.realm) }),
  );
}

interface ImageAddress {
  /** The address whose extension counts. */
  readonly page: string;
  readonly link: string;
  readonly source: string;
}

const githubBlob = /^https?:\/\/(?:www\.)?github\.com\/([^/?#]+\/[^/?#]+)\/blob\/([^?#]+)/;
const wikipediaFile = /^(https?:\/\/[a-z.-]+\.wikipedia\.org)\/wiki\/(File:[^?#]+)/;

/**
 * Rewrites the addresses of sites whose pages about an image have its extension (protocol/markdown#images-from-links).
 */
function specialAddress(url: string): ImageAddress | undefined {
  const blob = githubBlob.exec(url);
  if (blob)
    return { page: url, link: url, source: `https://raw.githubusercontent.com/${blob[1] ?? ''}/${blob[2] ?? ''}` };
  const shared = dropboxSource(url);
  if (shared !== undefined) return { page: url, link: url, source: shared };
  const file = wikipediaFile.exec(url);
  if (file) {
    const link = `${file[1] ?? ''}/wiki/Special:FilePath/${file[2] ?? ''}`;
    return { page: url, link, source: link };
  }
  const isPage = isDropboxPage(url) || /^https?:\/\/(?:www\.)?pasteboard\.co\//.test(url);
  return isPage ? undefined : { page: url, link: url, source: url };
}
