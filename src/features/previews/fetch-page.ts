import type { Readable } from 'node:stream';
import { invariant } from '#kernel/errors';
import type { ReadContext } from '#kernel/context';
import type { WebsitePreview } from '#kernel/markdown';
import { type Outbound, OutboundFault, type OutboundReply } from '#kernel/outbound';
import { readPage } from './read-page.ts';
import { readVideo, videoSiteOf } from './videos.ts';

/**
 * Milliseconds for fetching one page, including redirects. The protocol allows 15 s, but other jobs wait for this one.
 */
const TIMEOUT_MS = 8_000;
/** Bytes of a page that are read; its metadata is at the beginning. */
const READ_BYTES = 256 * 1024;
/** Largest content length that a page may announce, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i;
const JSON_TYPE = /^(?:application|text)\/json\b/i;

/** Fetches a page and returns its preview; null if it has none, is no page, or cannot be fetched. */
export async function fetchPage({ outbound, log }: Pick<ReadContext, 'outbound' | 'log'>, url: string) {
  try {
    return await look(outbound, url);
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error;
    log.debug({ reason: error.reason }, 'a page could not be looked at');
    return null;
  }
}

async function look(outbound: Outbound, url: string): Promise<WebsitePreview | null> {
  const video = videoSiteOf(url);
  if (video) {
    const answer = await read(outbound, video.question, 'application/json', JSON_TYPE);
    return answer && readVideo(video.site, answer.text);
  }
  const page = await read(outbound, url, 'text/html,application/xhtml+xml', PAGE_TYPE);
  return page && readPage(page.text, page.url);
}

async function read(outbound: Outbound, url: string, accept: string, type: RegExp) {
  const reply = await outbound.open({ url, headers: { accept }, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  const contentType = reply.headers.get('content-type') ?? '';
  if (reply.status !== 200 || !type.test(contentType)) {
    reply.body.destroy();
    return null;
  }
  return { url: reply.url, text: decode(await beginning(reply), contentType) };
}

async function beginning({ body }: OutboundReply<Readable>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    invariant(Buffer.isBuffer(chunk), 'a reply yields buffers');
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream and with it the connection.
    if (size >= READ_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, READ_BYTES);
}

/** Decodes a page by the encoding in its header or in its first bytes. */
function decode(bytes: Buffer, contentType: string): string {
  const named = /charset\s*=\s*"?([\w-]{1,40})/i;
  const label = named.exec(contentType)?.[1] ?? named.exec(bytes.subarray(0, 1024).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
