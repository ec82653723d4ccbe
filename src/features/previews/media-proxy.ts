import { timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Clock, SECONDS_PER_DAY } from '#kernel/clock';
import { page, type PageRequest, type PageResponse, type PageStream } from '#kernel/endpoint';
import { networkOf } from '#kernel/limits';
import { onceFor } from '#kernel/lists';
import { mediaSignature } from '#kernel/markdown';
import { OutboundFault, type OutboundReply } from '#kernel/outbound';
import { mediaProxyOf } from '#features/rendering';
import { MediaPlaces } from './media-places.ts';

/** Proxied media types: pictures, sounds and videos, but nothing that could contain a script, such as SVG. */
const PASSED =
  /^(?:image\/(?:apng|avif|bmp|gif|jpeg|png|webp|x-icon)|audio\/[\w.+-]+|video\/(?:mp4|webm|quicktime|ogg))\b/i;
/** Limits of a proxied file: bytes, milliseconds. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Proxies pictures and sounds of other hosts for messages, so that a reader's browser connects only to this server.
 * Addresses are signed, so that only addresses in messages are fetched. See protocol/markdown#addresses-and-safety.
 */
export const mediaProxyPage = page({
  methods: ['GET'],
  path: '/external_content/{rest*}',
  handle: async (request) => {
    const address = addressOf(request);
    if (address === undefined) return refusal(403);
    const places = placesOf(request.context.server, request.context.clock);
    if (places.hasFailed(address)) return refusal(404);
    const giveBack = await places.take(hostOf(address), networkOf(request.address));
    if (!giveBack) return refusal(503);
    try {
      return (await passOn(request, address, giveBack)) ?? failed(request, places, address);
    } catch (error) {
      giveBack();
      if (error instanceof OutboundFault) return failed(request, places, address);
      throw error;
    }
  },
});

/** One for the process: an address costs its host and this server as much, whoever asks for it. */
const placesOf = onceFor((_server: object, clock: Clock) => new MediaPlaces(clock));

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

/** Remembers the whole of an address only: which part a reader asks for says nothing to others. */
function failed({ headers }: PageRequest, places: MediaPlaces, address: string): PageResponse {
  if (headers.range === undefined) places.setFailed(address);
  return refusal(404);
}

/** The address in a path, if its signature is valid. */
function addressOf({ context, path }: Pick<PageRequest, 'context' | 'path'>): string | undefined {
  const match = /^([0-9a-f]{40})\/((?:[0-9a-f]{2})+)$/.exec(path['rest'] ?? '');
  if (!match) return undefined;
  const [, signature = '', hex = ''] = match;
  const address = Buffer.from(hex, 'hex').toString('utf8');
  const expected = mediaSignature(address, mediaProxyOf(context).key);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? address : undefined;
}

/** Sends a file on, and gives the place back when it is over; undefined if there is no such file. */
async function passOn(
  { context, headers }: PageRequest,
  url: string,
  giveBack: () => void,
): Promise<PageResponse | undefined> {
  const { range } = headers;
  const reply = await context.outbound.open({
    url,
    headers: { accept: 'image/*,audio/*,video/*', ...(range !== undefined && { range }) },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  reply.body.once('close', giveBack);
  const type = reply.headers.get('content-type') ?? '';
  if (![200, 206].includes(reply.status) || !PASSED.test(type)) {
    reply.body.destroy();
    return undefined;
  }
  return { status: reply.status, headers: headersOf(reply, type), body: bodyOf(reply) };
}

/** Sent on as it comes, whether its length is known or not: kept here, a few at once would fill the memory. */
function bodyOf({ headers, body }: OutboundReply<Readable>): PageStream {
  const length = headers.get('content-length');
  return { stream: body, length: length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined };
}

const INERT = {
  'content-security-policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
};

function headersOf({ headers }: OutboundReply<Readable>, type: string): Record<string, string> {
  const range = headers.get('content-range');
  const passed = {
    ...(range !== undefined && { 'content-range': range }),
    ...(headers.get('accept-ranges') === 'bytes' && { 'accept-ranges': 'bytes' }),
  };
  return { ...INERT, ...passed, 'content-type': type, 'cache-control': `public, max-age=${SECONDS_PER_DAY}` };
}

function refusal(status: 403 | 404 | 503): PageResponse {
  return { status, headers: { ...INERT, 'content-type': 'text/plain', 'cache-control': 'no-store' }, body: '' };
}
