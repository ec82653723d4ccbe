import { proxied } from '../addresses/proxy.ts';
import { type Element, element, preview } from '../tree.ts';
import type { RealmWords } from '../world.ts';

const hosts = /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com|youtu\.be)\//;
const byPath = /^https?:\/\/(?:[a-z.-]+\/(?:embed|shorts|v)\/|youtu\.be\/)([\w-]+)/;
const byQuery = /\/(?:watch|watch_popup|watch_videos)\?(?:[^#]*&)?(?:v|video_ids)=([\w-]+)/;

/** The ID of the YouTube video an address shows, or undefined (contract 2.15). */
export function youtubeId(url: string): string | undefined {
  if (!hosts.test(url)) return undefined;
  return byPath.exec(url)?.[1] ?? byQuery.exec(url)?.[1];
}

/** The picture of a YouTube video. */
export function youtubePreview(url: string, id: string, realm: RealmWords | null): Element {
  const src = proxied(`https://i.ytimg.com/vi/${id}/mqdefault.jpg`, realm);
  const link = element('a', { 'data-id': id, href: url }, [element('img', { src })]);
  return preview('div', { class: 'youtube-video message_inline_image' }, [link]);
}
