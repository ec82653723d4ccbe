import { cleanAddress } from '../addresses/clean.ts';
import { proxied } from '../addresses/proxy.ts';
import { type Element, element, preview, text } from '../tree.ts';
import type { RealmWords, WebsitePreview } from '../world.ts';
import { mediaPreview } from './videos.ts';

/** Makes the card of a website; undefined if it has no image (protocol/markdown#website-cards). */
export function websiteCard(url: string, page: WebsitePreview, realm: RealmWords | null): Element | undefined {
  const image = page.image === null ? undefined : cleanAddress(page.image);
  if (image === undefined) return undefined;
  const { title, description } = page;
  const picture = element('a', {
    class: 'message_embed_image',
    href: url,
    style: `background-image: url("${escapeCss(proxied(image, realm))}")`,
  });
  const data = [
    ...(title ? [part('title', element('a', { href: url, title }, [text(title)]))] : []),
    ...(description ? [part('description', text(description))] : []),
  ];
  return preview('div', { class: 'message_embed' }, [picture, element('div', { class: 'data-container' }, data)]);
}

function part(name: string, content: Element['children'][number]): Element {
  return element('div', { class: `message_embed_${name}` }, [content]);
}

/** Makes the preview of a photo page. */
export function photoPreview(url: string, image: string, realm: RealmWords | null): Element {
  return mediaPreview('message_inline_image', url, undefined, element('img', { src: proxied(image, realm) }));
}

/** Makes the preview of a video page. The player's HTML is an attribute's value, which clients insert on a click. */
export function playerPreview(
  url: string,
  title: string | undefined,
  page: { html: string; image: string },
  realm: RealmWords | null,
): Element {
  const attributes = { 'data-id': page.html, href: url, ...(title === undefined ? {} : { title }) };
  const link = element('a', attributes, [element('img', { src: proxied(page.image, realm) })]);
  return preview('div', { class: 'embed-video message_inline_image' }, [link]);
}

function escapeCss(url: string): string {
  return url.replace(/["\\\n\r\f]/g, (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `);
}
