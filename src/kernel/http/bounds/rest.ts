import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Timer } from '#kernel/clock';

/** Most bytes of a refused body that are read before the connection is closed. */
const MAX_REST_BYTES = 64 * 2 ** 20;
/** Most bytes that one read of a connection brings. */
const CHUNK_BYTES = 64 * 1024;

/** Bytes of a refused body that are read as fast as they arrive. */
const QUICK_BYTES = 4 * 2 ** 20;
/**
 * Bytes beyond those, of all refused bodies together, that are read within so many milliseconds. Each chunk is garbage:
 * without this limit a few senders on a fast network keep the garbage collector busy.
 */
const [MAX_BYTES_PER_TICK, TICK_MS] = [512 * 1024, 10];

const unwanted = new WeakSet<IncomingMessage>();
/** Requests that wait for the next tick, the one that has waited longest first. */
const paused: IncomingMessage[] = [];
let bytesInThisTick = 0;
/** Of the machine's clock, as are the bytes that arrive. */
let timer: Timer | undefined;

/** Whether a body follows the headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Whether a reply goes out before its request's body has arrived completely. */
export function isUnread(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete && !request.readableEnded;
}

/** Whether the reply was sent and only the rest of the body is still arriving. */
export function isUnwanted(request: IncomingMessage): boolean {
  return unwanted.has(request);
}

/**
 * Ends a response when the rest of the request has arrived, or too much of it. Closing a connection with unread bytes
 * resets it, and the client would lose the reply. See protocol/wire#rate-limits.
 */
export function endAfterRest(response: ServerResponse): void {
  const { req: request } = response;
  let bytes = 0;
  const end = () => void response.end();
  unwanted.add(request);
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_REST_BYTES) end();
    else if (bytes > QUICK_BYTES) slowDown(request, chunk.length);
  });
  request.once('end', end).once('close', end).once('error', end);
  request.resume();
}

/** Pauses a request if enough has been read in this tick. */
function slowDown(request: IncomingMessage, bytes: number): void {
  bytesInThisTick += bytes;
  timer ??= systemClock.after(TICK_MS, beginTick);
  if (bytesInThisTick < MAX_BYTES_PER_TICK) return;
  request.pause();
  paused.push(request);
}

/** Resumes as many requests as the tick has room for, if each brings a whole chunk. */
function beginTick(): void {
  timer = undefined;
  bytesInThisTick = 0;
  for (const request of paused.splice(0, MAX_BYTES_PER_TICK / CHUNK_BYTES)) request.resume();
  if (paused.length > 0) timer = systemClock.after(TICK_MS, beginTick);
}
