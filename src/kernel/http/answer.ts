import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Held, RawBody } from '#kernel/endpoint';
import type { ApiError } from '#kernel/errors';
import type { HttpRequest } from './request.ts';

export type Headers = Record<string, string | number>;

const compress = promisify(gzip);
/** Bodies from this size on are compressed for clients that take it, in bytes. */
const COMPRESS_FROM = 8192;

/** Sends a whole answer, unless nobody waits for it any more. */
export function send(
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: string | Buffer | readonly Buffer[],
): void {
  if (response.destroyed || response.headersSent) return;
  const pieces = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body;
  if (status !== 204) headers['content-length'] = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  response.writeHead(status, headers);
  const [first, ...more] = pieces;
  if (response.req.method === 'HEAD' || status === 204) return void response.end();
  // One text becomes one chunk with the head, which is ASCII.
  if (more.length === 0) return void response.end(first);
  // Together with the head in one write, without copying what many answers share.
  response.cork();
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
}

/** Sends what an operation returned, compressed where that is worth it. */
export async function sendReply(
  request: HttpRequest,
  response: ServerResponse,
  headers: Headers,
  reply: string | RawBody,
): Promise<void> {
  let { body, encoding } = reply instanceof RawBody ? reply : new RawBody(reply);
  const mayShrink = encoding === undefined && body.length >= COMPRESS_FROM && request.acceptsGzip;
  if (mayShrink && (typeof body === 'string' || Buffer.isBuffer(body))) {
    body = await compress(body, { level: 1 });
    encoding = 'gzip';
  }
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  send(response, 200, headers, body);
}

/** Leaves the answer to an operation that gives it later. */
export function hold(held: Held, response: ServerResponse, headers: Headers): void {
  held.begin({
    send: (body) => send(response, 200, headers, body),
    onGone: (listener) => {
      // The client may have gone while the queue was being looked at.
      if (response.destroyed) return listener();
      response.on('close', () => {
        if (!response.writableEnded) listener();
      });
    },
  });
}

/** Tells a client what went wrong. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: ApiError, headers: Headers): void {
  const { status } = error.row;
  if (status === 401) headers['www-authenticate'] = 'Basic realm="roost"';
  if (status === 405) headers['allow'] = allowHeader(error);
  if (status === 429) headers['retry-after'] = Math.ceil(Number(error.extra['retry-after'] ?? 1));
  // A body that was not read to its end would be taken for the next request.
  if (!request.complete) headers['connection'] = 'close';
  send(response, status, headers, envelope(error));
}

function envelope(error: ApiError): string {
  return JSON.stringify({ result: 'error', msg: error.message, code: error.row.code, ...error.extra });
}

function allowHeader(error: ApiError): string {
  const methods = error.extra['allowed_methods'];
  return Array.isArray(methods) ? methods.join(', ') : '';
}
