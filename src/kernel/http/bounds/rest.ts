import type { IncomingMessage, ServerResponse } from 'node:http';

/** Most bytes of a body nobody wants that are read before the connection closes. */
const MAX_REST_BYTES = 64 * 2 ** 20;

const unwanted = new WeakSet<IncomingMessage>();

/** Whether the headers say that a body follows, which those of a poll do not: then nothing has to be waited for. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Whether an answer goes out before the body it answers has come in whole. */
export function isUnread(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete && !request.readableEnded;
}

/** Whether the answer has been given and only the rest of the body is still on its way. */
export function isUnwanted(request: IncomingMessage): boolean {
  return unwanted.has(request);
}

/**
 * Ends a response when the rest of its request has come, or when too much of it has. A connection that is closed while bytes
 * wait in it is reset, and its client loses the answer that is on its way. See protocol/wire#rate-limits.
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
  });
  request.once('end', end).once('close', end).once('error', end);
  request.resume();
}
