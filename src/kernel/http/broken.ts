import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, HeadTooLarge, HeadTooSlow, RequestMalformed } from '#kernel/errors';
import { envelope } from './answer.ts';
import { apiHeaders } from './headers.ts';

const SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';
const FAULTS: Readonly<Record<string, () => ApiError>> = {
  HPE_HEADER_OVERFLOW: HeadTooLarge,
  [SLOW]: HeadTooSlow,
};

/**
 * Replies to what could not be parsed as a request, and closes the connection. See protocol/errors#unknown-routes.
 * Writes nothing while another reply is being sent, because it would become part of that one; and nothing to a client
 * that has sent nothing, such as a browser that connects ahead of time: it would be the reply to its next request.
 */
export function answerBroken(error: Error & { readonly code?: string }, socket: Socket, isAnswering: boolean): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const isSilent = error.code === SLOW && socket.bytesRead === 0;
  if (socket.writable && !isAnswering && !isSilent)
    socket.write(responseOf((FAULTS[error.code ?? ''] ?? RequestMalformed)()));
  socket.destroySoon();
}

function responseOf(error: ApiError): string {
  const body = envelope(error);
  const { status } = error.row;
  const headers = { ...apiHeaders('', undefined, 0), 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}
