import { useState } from 'preact/hooks';
import { conversationHash } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { renderedNodes } from '../../rendered/index.ts';
import { shortDay } from '../../words/index.ts';
import { t } from '../../words/deferred.ts';
import { faceOf, timeStyle } from '../shown.ts';
import { Lightbox, type LightboxImage } from './lightbox.tsx';
import { closeOverlay } from './open.ts';

interface Picture extends LightboxImage {
  readonly message: Message;
  /** "1,200 × 800" */
  readonly size: string | undefined;
}

/** A picture of a message over the page, with the other pictures of the open narrow. */
export function PictureView({ message, src }: { readonly message: Message; readonly src: string }) {
  const client = useClient();
  const [all] = useState(() => picturesAround(client, message));
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      all.findIndex((one) => one.message.id === message.id && one.src === src),
    ),
  );
  const [isZoomed, setZoomed] = useState(false);
  const shown = all[at];
  if (!shown) return null;
  const style = timeStyle(client);
  const facts = [
    ...(all.length > 1 ? [t('lightbox.place', { at: at + 1, all: all.length })] : []),
    faceOf(client, shown.message.sender_id).name,
    shortDay(shown.message.timestamp, client.clock.now() / 1000, style),
    ...(shown.size === undefined ? [] : [shown.size]),
  ].join(' · ');
  return (
    <Lightbox
      image={shown}
      facts={facts}
      sender={faceOf(client, shown.message.sender_id)}
      images={all}
      isZoomed={isZoomed}
      onZoom={() => setZoomed(!isZoomed)}
      onShow={({ key }) => {
        setAt(all.findIndex((one) => one.key === key));
        setZoomed(false);
      }}
      onMessage={() => {
        closeOverlay();
        location.hash = conversationHash(conversationOf(shown.message), client.names, shown.message.id);
      }}
      onClose={closeOverlay}
    />
  );
}

/** The pictures of the open narrow in order; those of the message alone if it is not in that. */
function picturesAround(client: Client, message: Message): readonly Picture[] {
  const there = client.route.peek();
  const ids = there.view === 'narrow' ? client.messages.window(there.narrow).ids.peek() : [];
  const around = ids.flatMap((id) => client.messages.table.peek(id) ?? []);
  return (around.some(({ id }) => id === message.id) ? around : [message]).flatMap(picturesOf);
}

function picturesOf(message: Message): readonly Picture[] {
  if (!message.content.includes('message_inline_image')) return [];
  return [...renderedNodes(message.content).querySelectorAll<HTMLImageElement>(PICTURES)].map((image, index) => {
    const link = image.closest('a');
    const dimensions = /^(\d+)x(\d+)$/.exec(image.dataset['originalDimensions'] ?? '');
    const src = link?.getAttribute('href') ?? image.getAttribute('src') ?? '';
    return {
      key: `${message.id}-${index}`,
      message,
      src,
      thumbnail: image.getAttribute('src') ?? src,
      name: link?.title || decodeURIComponent(src.split('/').at(-1) ?? '').slice(0, 200),
      size: dimensions ? `${dimensions[1]} × ${dimensions[2]}` : undefined,
    };
  });
}

/** Selects pictures of messages, without previews of videos. */
const PICTURES = '.message_inline_image:not(.message_inline_video, .youtube-video, .embed-video) a img';
