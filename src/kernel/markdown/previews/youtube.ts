import { proxied } from '../addresses/proxy.ts';
import { type Element, element, preview } from '../tree.ts';
import type { RealmWords } from '../world.ts';

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
 * The ID of the YouTube video an address shows, or undefined (protocol/markdown#video). What is no ID as a whole names
 * none.
 */
export function youtubeId(url: string): string | undefined {
  const id = short.exec(url)?.[1] ?? idOnSite(url);
  return id !== undefined && whole.test(id) ? id : undefined;
}

function idOnSite(url: string): string | undefined {
  const [, path = '', query = ''] = long.exec(url) ?? [];
  return byPath.exec(path)?.[1] ?? (Object.hasOwn(byQuery, path) ? byQuery[path]?.exec(query)?.[1] : undefined);
}

/** The picture of a YouTube video. */
export function youtubePreview(url: string, id: string, realm: RealmWords | null): Element {
  const src = proxied(`https://i.ytimg.com/vi/${id}/mqdefault.jpg`, realm);
  const link = element('a', { 'data-id': id, href: url }, [element('img', { src })]);
  return preview('div', { class: 'youtube-video message_inline_image' }, [link]);
}
