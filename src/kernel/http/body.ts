import type { IncomingMessage } from 'node:http';
import type { UploadedFile } from '#kernel/endpoint';
import { BodyMalformed, BodyTooLarge } from '#kernel/errors';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { decodeUtf8, parseForm } from './forms.ts';
import type { HttpRequest } from './request.ts';

/** Largest form body, in bytes; files of multipart bodies are not counted. */
const MAX_FORM_BYTES = 8 * 1024 * 1024;
/** Most text parts of a multipart body. */
const MAX_PARTS = 1000;

/** What a body held. */
export interface Body {
  readonly texts: Map<string, string>;
  readonly file: UploadedFile | undefined;
  /** Text of a JSON body. */
  readonly json?: string;
}

type Parts = AsyncIterator<Multipart, undefined>;

/** Reads a body. A multipart body is read up to its first file, whose bytes are left to the handler. */
export async function readBody(request: HttpRequest): Promise<Body> {
  const { contentType: type, parts } = request;
  if (type === 'multipart/form-data' && parts) return readMultipart(parts);
  const texts = new Map<string, string>();
  if (hasNone(request.raw)) return { texts, file: undefined };
  const bytes = await readAll(request.raw, MAX_FORM_BYTES);
  // Members of a JSON body are no parameters (contract W2).
  if (type === 'application/json') return { texts, file: undefined, json: bytes.toString('utf8') };
  if (type === 'application/x-www-form-urlencoded') parseForm(bytes, texts);
  return { texts, file: undefined };
}

/** Whether the headers say that there is no body, as those of a poll do: then nothing has to be waited for. */
function hasNone({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

async function readAll(stream: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(stream.headers['content-length'] ?? 0) > limit) throw BodyTooLarge();
  if (stream.readableEnded) return Buffer.alloc(0);
  if (stream.destroyed) throw aborted();
  // Listeners, because iterating over a stream costs several promises for each chunk.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      stream.off('data', onData).pause();
      reject(BodyTooLarge());
    };
    const onClose = () => reject(aborted());
    stream.on('data', onData);
    stream.once('end', () => {
      // Every request is closed in the end; an error made in vain costs as much as reading a form.
      stream.off('close', onClose);
      resolve(Buffer.concat(chunks));
    });
    stream.once('error', reject);
    stream.once('close', onClose);
  });
}

/** The client went before its request was whole: the same as what its socket says then. */
function aborted(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

async function readMultipart(open: NonNullable<HttpRequest['parts']>): Promise<Body> {
  const texts = new Map<string, string>();
  const parts: Parts = open({
    // Names come whole; who stores a file makes a safe name of its own.
    preservePath: true,
    limits: {
      fieldSize: MAX_FORM_BYTES,
      fields: MAX_PARTS,
      parts: MAX_PARTS + 10,
      fileSize: Number.POSITIVE_INFINITY,
    },
  });
  try {
    for (;;) {
      const part = (await parts.next()).value;
      if (!part) return { texts, file: undefined };
      if (part.type === 'file') return { texts, file: toUploadedFile(part, parts) };
      if (part.valueTruncated) throw BodyTooLarge();
      texts.set(part.fieldname, typeof part.value === 'string' ? decodeUtf8(Buffer.from(part.value, 'utf8')) : '');
    }
  } catch (error) {
    throw toBodyError(error);
  }
}

function toUploadedFile(part: MultipartFile, parts: Parts): UploadedFile {
  return {
    fieldName: part.fieldname,
    filename: part.filename,
    contentType: part.mimetype,
    stream: part.file,
    isLast: async () => {
      try {
        for (;;) {
          const next = (await parts.next()).value;
          if (!next) return true;
          if (next.type !== 'file') continue;
          next.file.destroy();
          return false;
        }
      } catch (error) {
        throw toBodyError(error);
      }
    },
  };
}

function toBodyError(error: unknown): unknown {
  if (isSizeError(error)) return BodyTooLarge();
  return isParserError(error) ? BodyMalformed() : error;
}

function isSizeError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT', 'FST_REQ_FILE_TOO_LARGE'].includes(String(error.code))
  );
}

function isParserError(error: unknown): boolean {
  return error instanceof Error && /multipart|boundary|part header|unexpected end/i.test(error.message);
}
