import type { IncomingMessage } from 'node:http';
import type { UploadedFile } from '#kernel/endpoint';
import type { BodyShare } from './bounds/body-share.ts';
import { hasBody } from './bounds/rest.ts';
import { readForm } from './forms.ts';
import { readMultipart } from './multipart.ts';
import type { HttpRequest } from './request.ts';

/** The parsed body of a request. */
export interface Body {
  readonly texts: Map<string, string>;
  readonly file: UploadedFile | undefined;
  /** The raw bytes; undefined for multipart bodies and if there is no body. */
  readonly bytes?: Buffer;
}

/** Milliseconds that a body may take before the caller is checked again. */
const MAX_QUICK_MS = 100;

/** Whether a body took so long that its sender must be checked again. */
export function isSlowBody(milliseconds: number): boolean {
  return milliseconds > MAX_QUICK_MS;
}

/** Reads a body. A multipart body is read up to its first file; the operation reads the file's bytes. */
export async function readBody(request: HttpRequest, share: BodyShare): Promise<Body> {
  const { contentType: type, parts, raw } = request;
  const texts = new Map<string, string>();
  if (!hasBody(raw)) return { texts, file: undefined };
  if (type === 'multipart/form-data' && parts) return readMultipart(raw, parts, share);
  const chunks = await readAll(raw, share);
  // Joined only in its turn, which takes the memory of the body once more.
  const turn = share.parsingTurn();
  if (turn) await turn;
  const bytes = Buffer.concat(chunks);
  // Members of a JSON body are not parameters (protocol/wire#parameters).
  const reading = type === 'application/x-www-form-urlencoded' ? readForm(bytes, texts) : undefined;
  if (reading) await reading;
  return { texts, file: undefined, bytes };
}

async function readAll(stream: IncomingMessage, share: BodyShare): Promise<readonly Buffer[]> {
  share.assertFits(stream);
  if (stream.readableEnded) return [];
  if (stream.destroyed) throw aborted();
  // Uses listeners, because iterating over a stream costs several promises for each chunk.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer) => {
      try {
        share.add(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        stream.off('data', onData).pause();
        reject(error instanceof Error ? error : aborted());
      }
    };
    stream.on('data', onData);
    stream.on('end', () => resolve(chunks));
    stream.on('error', reject);
    // Every request closes in the end, so the error is created only if needed: that costs as much as parsing a form.
    stream.on('close', () => {
      if (!stream.readableEnded) reject(aborted());
    });
  });
}

/** The error for a client that disconnects early, the same as a socket reports. */
function aborted(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

/** Whether a client disconnected before its request was complete. Our own connections fail with other errors. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
}
