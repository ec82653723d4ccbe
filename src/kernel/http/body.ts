import type { IncomingMessage } from 'node:http';
import type { UploadedFile } from '#kernel/endpoint';
import type { BodyShare } from './bounds/body-share.ts';
import { hasBody } from './bounds/rest.ts';
import { readForm } from './forms.ts';
import { readMultipart } from './multipart.ts';
import type { HttpRequest } from './request.ts';

/** What a body held. */
export interface Body {
  readonly texts: Map<string, string>;
  readonly file: UploadedFile | undefined;
  /** All of it as it came; undefined for a body of several parts, and for none. */
  readonly bytes?: Buffer;
}

/** Milliseconds for which what was known of a caller when the body began counts when it has come. */
const MAX_QUICK_MS = 100;

/** Whether a body took so long that who sent it must be looked at again. */
export function isSlowBody(milliseconds: number): boolean {
  return milliseconds > MAX_QUICK_MS;
}

/** Reads a body. A multipart body is read up to its first file, whose bytes are left to the handler. */
export async function readBody(request: HttpRequest, share: BodyShare): Promise<Body> {
  const { contentType: type, parts, raw } = request;
  const texts = new Map<string, string>();
  if (!hasBody(raw)) return { texts, file: undefined };
  if (type === 'multipart/form-data' && parts) return readMultipart(raw, parts, share);
  const bytes = await readAll(raw, share);
  // Members of a JSON body are no parameters (protocol/wire#parameters).
  const reading = type === 'application/x-www-form-urlencoded' ? readForm(bytes, texts) : undefined;
  if (reading) await reading;
  return { texts, file: undefined, bytes };
}

async function readAll(stream: IncomingMessage, share: BodyShare): Promise<Buffer> {
  share.assertFits(stream);
  if (stream.readableEnded) return Buffer.alloc(0);
  if (stream.destroyed) throw aborted();
  // Listeners, because iterating over a stream costs several promises for each chunk.
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
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
    // Every request is closed in the end; an error made in vain costs as much as reading a form.
    stream.on('close', () => {
      if (!stream.readableEnded) reject(aborted());
    });
  });
}

/** The client went before its request was whole: the same as what its socket says then. */
function aborted(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

/** Whether a client went before its request was whole. A connection of our own that broke says something else. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
}
