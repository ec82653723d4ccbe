import { lookUp } from '#kernel/lists';
import { proxied } from '../addresses/proxy.ts';
import { hasExtension } from '../elements/extensions.ts';
import { type Element, element, preview } from '../tree.ts';
import type { RealmWords } from '../world.ts';

const videoExtensions = ['mp4', 'webm', 'mov'];

/**
 * Makes the preview of a video file. An address with a query gets none, except Dropbox's, which always have one
 * (protocol/markdown#video).
 */
export function videoPreview(url: string, title: string | undefined, realm: RealmWords | null): Element | undefined {
  const shared = dropboxSource(url);
  if ((url.includes('?') && shared === undefined) || isDropboxPage(url) || !hasExtension(url, videoExtensions))
    return undefined;
  const video = element('video', { preload: 'metadata', src: proxied(shared ?? url, realm) });
  return mediaPreview('message_inline_image message_inline_video', url, title, video);
}

/**
 * Makes the frame of all image and video previews; the inner link has a title if the link's text is not its address.
 */
export function mediaPreview(className: string, url: string, title: string | undefined, media: Element): Element {
  const link = element('a', title === undefined ? { href: url } : { href: url, title }, [media]);
  return preview('div', { class: className }, [link]);
}

const short = /^https?:\/\/youtu\.be\/([^?#]*)/;
const long = /^https?:\/\/(?:www\.|m\.)?youtube(?:-nocookie)?\.com(\/[^?#]*)(?:\?([^#]*))?/;
const byPath = /^\/(?:embed|shorts|v)\/([^/]*)/;
const byQuery: Readonly<Record<string, RegExp>> = {
  '/watch': /(?:^|&)v=([^&]*)/,
  '/watch_popup': /(?:^|&)v=([^&]*)/,
  '/watch_videos': /(?:^|&)video_ids=([^&,]*)/,
};
const whole = /^[0-9A-Za-z_-]+$/;

/**
 * Returns the ID of the YouTube video at an address, or undefined (protocol/markdown#video). The ID must have the exact
 * form of one.
 */
export function youtubeId(url: string): string | undefined {
  const id = short.exec(url)?.[1] ?? idOnSite(url);
  return id !== undefined && whole.test(id) ? id : undefined;
}

function idOnSite(url: string): string | undefined {
  const [, path = '', query = ''] = long.exec(url) ?? [];
  return byPath.exec(path)?.[1] ?? lookUp(byQuery, path)?.exec(query)?.[1];
}

/** Makes the preview of a YouTube video. */
export function youtubePreview(url: string, id: string, realm: RealmWords | null): Element {
  const src = proxied(`https://i.ytimg.com/vi/${id}/mqdefault.jpg`, realm);
  const link = element('a', { 'data-id': id, href: url }, [element('img', { src })]);
  return preview('div', { class: 'youtube-video message_inline_image' }, [link]);
}

const site = /^https?:\/\/(?:www\.)?dropbox\.com\//;
/** Addresses of a shared file or a file in a shared folder, in the current form and that of before 2023. */
const sharedFile = /^https?:\/\/(?:www\.)?dropbox\.com\/(?:scl\/fi|s|sh)\/[^?#]+/;

/**
 * Returns the direct address of a file shared by Dropbox; undefined for other addresses
 * (protocol/markdown#images-from-links).
 */
export function dropboxSource(address: string): string | undefined {
  const page = sharedFile.exec(address)?.[0];
  if (page === undefined) return undefined;
  const [, query = ''] = /\?([^#]*)/.exec(address) ?? [];
  const parameters = query.split('&').filter((part) => part !== '' && !/^(?:dl|raw)(?:=|$)/.test(part));
  return `${page}?${[...parameters, 'raw=1'].join('&')}`;
}

/** Whether an address is a page of Dropbox without a file that could be fetched. */
export const isDropboxPage = (address: string): boolean => site.test(address) && !sharedFile.test(address);
