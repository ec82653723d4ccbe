import { proxied } from '../addresses/proxy.ts';
import { hasExtension } from '../elements/extensions.ts';
import { type Element, element, preview } from '../tree.ts';
import type { RealmWords } from '../world.ts';
import { dropboxSource, isDropboxPage } from './dropbox.ts';

const videoExtensions = ['mp4', 'webm', 'mov'];

/**
 * The preview of a video file; a query string prevents it, but for Dropbox, which has always one
 * (protocol/markdown#video).
 */
export function videoPreview(url: string, title: string | undefined, realm: RealmWords | null): Element | undefined {
  const shared = dropboxSource(url);
  if ((url.includes('?') && shared === undefined) || isDropboxPage(url) || !hasExtension(url, videoExtensions))
    return undefined;
  const video = element('video', { preload: 'metadata', src: proxied(shared ?? url, realm) });
  return mediaPreview('message_inline_image message_inline_video', url, title, video);
}

/** The frame all previews of pictures and videos share; the inner link has a title when its text is no address. */
export function mediaPreview(className: string, url: string, title: string | undefined, media: Element): Element {
  const link = element('a', title === undefined ? { href: url } : { href: url, title }, [media]);
  return preview('div', { class: className }, [link]);
}
