import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type AnswerRoom, type Held, RawBody } from '#kernel/endpoint';
import { type ApiError, RouteMissing, ServerBusy } from '#kernel/errors';
import { isLarge, writeInParts } from './bounds/parts.ts';
import { endAfterRest, isUnread } from './bounds/rest.ts';
import type { Caller, HttpRequest } from './request.ts';

export type Headers = Record<string, string | number>;

const compress = promisify(gzip);
/** Smallest body that is compressed, in bytes, if the client supports it. */
const COMPRESS_FROM = 8192;
/** Smallest reply that counts for the caller's memory limit until it is sent, in bytes. */
const COUNTED_FROM = 256 * 1024;

/** Sends a complete reply, unless the client has disconnected. */
export function send(
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: string | Buffer | readonly Buffer[],
): void {
  if (response.destroyed || response.headersSent) return;
  const pieces = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body;
  if (status !== 204) headers['content-length'] = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  // Otherwise the unread rest of the body would be parsed as the next request.
  if (isUnread(response.req)) headers['connection'] = 'close';
  response.writeHead(status, headers);
  const [first, ...more] = pieces;
  if (response.req.method === 'HEAD' || status === 204) return finish(response);
  if (isUnread(response.req) || isLarge(pieces)) return finish(response, pieces);
  // A single text is written in one chunk together with the ASCII headers.
  if (more.length === 0) return void response.end(first);
  // Headers and pieces go out in one write, without copying buffers that are shared with other replies.
  response.cork();
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
}

/** Writes the pieces and ends the reply: at once, or after the rest of the request's body has arrived. */
export function finish(response: ServerResponse, pieces: readonly (string | Buffer)[] = []): void {
  const end = () => (isUnread(response.req) ? endAfterRest(response) : void response.end());
  if (isLarge(pieces)) return writeInParts(response, pieces, end);
  for (const piece of pieces) response.write(piece);
  if (pieces.length === 0 && isUnread(response.req)) response.flushHeaders();
  end();
}

/** Sends the result of an operation, compressed if it is large. Uncompressed ones are sent when this returns. */
export function sendReply(
  request: HttpRequest,
  headers: Headers,
  reply: string | RawBody,
  caller: Caller,
): Promise<void> | undefined {
  const whole = reply instanceof RawBody ? reply : new RawBody(reply);
  const { body, encoding } = whole;
  const mayShrink = encoding === undefined && body.length >= COMPRESS_FROM && request.acceptsGzip;
  if (mayShrink && (typeof body === 'string' || Buffer.isBuffer(body)))
    return compress(body, { level: 1 }).then((small) => sendBody(request, headers, new RawBody(small, 'gzip'), caller));
  sendBody(request, headers, whole, caller);
  return undefined;
}

function sendBody(request: HttpRequest, headers: Headers, { body, encoding }: RawBody, caller: Caller): void {
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  // Lists of buffers are shared with other replies and take no memory of their own.
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    if (!holdAnswer(request, caller, Buffer.byteLength(body))) throw ServerBusy({ 'retry-after': 5 });
  }
  send(request.response, 200, headers, body);
}

/**
 * Counts a reply for the caller's memory limit until it is sent; false if it exceeds the limit. Otherwise clients that
 * request and never read could fill the memory.
 */
function holdAnswer(request: HttpRequest, caller: Caller, bytes: number): boolean {
  const { response, traffic } = request;
  // A response that is closed already would count forever.
  if (bytes < COUNTED_FROM || response.destroyed) return true;
  const payer = request.payerOf(caller);
  if (!traffic.answers.take(payer, bytes)) return false;
  response.once('close', () => traffic.answers.giveBack(payer, bytes));
  return true;
}

/** Counts the parts of a reply for the caller's memory limit while it is made, until it is sent. */
export function answerRoom(request: Pick<HttpRequest, 'response' | 'traffic' | 'payerOf'>, caller: Caller): AnswerRoom {
  const { response, traffic } = request;
  const payer = request.payerOf(caller);
  let taken: number | undefined;
  const giveBack = () => {
    traffic.answers.giveBack(payer, taken ?? 0);
    taken = 0;
  };
  return {
    begin: () => taken && giveBack(),
    take(bytes) {
      if (response.destroyed) throw RouteMissing();
      if (!traffic.answers.take(payer, bytes)) throw ServerBusy({ 'retry-after': 5 });
      if (taken === undefined) response.once('close', giveBack);
      taken = (taken ?? 0) + bytes;
    },
  };
}

/** Hands the response to an operation that replies later. */
export function hold(held: Held, request: HttpRequest, headers: Headers, caller: Caller): void {
  const { response } = request;
  held.begin({
    send: (characters, body) => {
      const made = holdAnswer(request, caller, characters) ? body() : undefined;
      // Characters beyond ASCII take more bytes.
      if (made !== undefined && holdAnswer(request, caller, Buffer.byteLength(made) - characters))
        send(response, 200, headers, made);
      else refuse(response, ServerBusy({ 'retry-after': 5 }), headers);
    },
    isGone: () => response.destroyed,
    onGone: (listener) => {
      // The client may have disconnected meanwhile.
      if (response.destroyed) return listener();
      if (caller) request.traffic.park(request.raw, response);
      response.on('close', () => {
        if (!response.writableEnded) listener();
      });
    },
  });
}

/** Sends an error. */
export function refuse(response: ServerResponse, error: ApiError, headers: Headers): void {
  const { status } = error.row;
  if (status === 401) headers['www-authenticate'] = `${schemeFor(response)} realm="roost"`;
  if (status === 405) headers['allow'] = allowHeader(error);
  if (status === 308) headers['location'] = String(error.extra['location']);
  const wait = error.extra['retry-after'];
  if (wait !== undefined) headers['retry-after'] = Math.ceil(Number(wait));
  send(response, status, headers, envelope(error));
}

/**
 * `Basic` makes browsers ask for a password in a dialog, which requests by our pages must not cause: these lead to the
 * login page.
 */
function schemeFor({ req }: ServerResponse): 'Basic' | 'Session' {
  return req.headers['x-requested-with'] === undefined ? 'Basic' : 'Session';
}

/** The body of an error reply. */
export function envelope(error: ApiError): string {
  return JSON.stringify({ result: 'error', msg: error.message, code: error.row.code, ...error.extra });
}

function allowHeader(error: ApiError): string {
  const methods = error.extra['allowed_methods'];
  return Array.isArray(methods) ? methods.join(', ') : '';
}
