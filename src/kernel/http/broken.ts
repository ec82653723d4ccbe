import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, HeadTooLarge, HeadTooSlow, RequestMalformed } from '#kernel/errors';
import { envelope } from './answer.ts';
import { apiHeaders } from './headers.ts';

const FAULTS: Readonly<Record<string, () => ApiError>> = {
  HPE_HEADER_OVERFLOW: HeadTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: HeadTooSlow,
};

/** Answers what never became a request, and closes its connection. See protocol/errors#unknown-routes. */
export function answerBroken(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(responseOf((FAULTS[error.code ?? ''] ?? RequestMalformed)()));
  socket.destroy(error);
}

function responseOf(error: ApiError): string {
  const body = envelope(error);
  const { status } = error.row;
  const headers = { ...apiHeaders('', undefined, 0), 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}
