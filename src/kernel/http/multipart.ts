import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { UploadedFile } from '#kernel/endpoint';
import { BodyMalformed, BodyTooLarge } from '#kernel/errors';
import type { Body } from './body.ts';
import type { BodyShare } from './bounds/body-share.ts';
import { decodeUtf8 } from './forms.ts';
import type { HttpRequest } from './request.ts';

/** Most text parts of a multipart body, several times the parameters of any operation: each costs some 30 µs. */
const MAX_PARTS = 400;
/** Longest name of a part, in bytes. */
const MAX_NAME_BYTES = 1000;
/** Longest text of a part, in bytes, because the parser decodes it at once. */
const MAX_FIELD_BYTES = 2 ** 20;
/** Media types of parts that are read here, because the parser would parse JSON at once. */
const BYTES = /^application\/(?:json|octet-stream)/;

/** Reads the parts of a body one after the other; throws if all that is not a file exceeds the memory share. */
class Parts {
  readonly #raw: IncomingMessage;
  readonly #parts: AsyncIterator<Multipart, undefined>;
  readonly #share: BodyShare;
  /** Size of the newest chunk, in bytes. */
  #uncounted = 0;
  #fail: (error: unknown) => void = () => undefined;
  readonly #failed = new Promise<never>((_resolve, reject) => (this.#fail = reject));

  constructor(raw: IncomingMessage, open: NonNullable<HttpRequest['parts']>, share: BodyShare) {
    this.#raw = raw;
    this.#share = share;
    this.#failed.catch(() => undefined);
    this.#parts = open({
      // File names are kept as sent; storing the file makes a safe name.
      preservePath: true,
      isPartAFile: (_name, type, filename) => filename !== undefined || BYTES.test(type ?? ''),
      limits: {
        fieldNameSize: MAX_NAME_BYTES,
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_PARTS,
        parts: MAX_PARTS + 10,
        fileSize: Number.POSITIVE_INFINITY,
      },
    });
  }

  /** Returns the next part; counts the bytes before it. */
  async next(): Promise<Multipart | undefined> {
    this.#raw.on('data', this.#count);
    try {
      const { value } = await Promise.race([this.#parts.next(), this.#failed]);
      // The chunk in which a file begins counts as part of the file.
      if (value?.type === 'file') this.#uncounted = 0;
      if (!value) this.#share.add(this.#uncounted);
      return value;
    } catch (error) {
      this.stop();
      throw toBodyError(error);
    } finally {
      this.#raw.off('data', this.#count);
    }
  }

  /** Reads a part that is not a file. */
  async bytesOf({ file }: MultipartFile): Promise<Buffer> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of file) {
        if (!Buffer.isBuffer(chunk)) continue;
        this.#share.add(chunk.length);
        chunks.push(chunk);
      }
    } catch (error) {
      this.stop();
      throw toBodyError(error);
    }
    return Buffer.concat(chunks);
  }

  /** Counts bytes of a file that are kept in memory. */
  hold(bytes: number): void {
    try {
      this.#share.add(bytes);
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Stops parsing. */
  stop(): void {
    this.#raw.unpipe().pause();
  }

  readonly #count = (chunk: Buffer): void => {
    try {
      this.#share.add(this.#uncounted);
      this.#uncounted = chunk.length;
    } catch (error) {
      this.stop();
      this.#fail(error);
    }
  };
}

/** Reads the text parts of a body up to its first file. */
export async function readMultipart(
  raw: IncomingMessage,
  open: NonNullable<HttpRequest['parts']>,
  share: BodyShare,
): Promise<Body> {
  const texts = new Map<string, string>();
  const parts = new Parts(raw, open, share);
  for (;;) {
    const part = await parts.next();
    if (!part) return { texts, file: undefined };
    if (part.type === 'file' && isText(part)) {
      texts.set(part.fieldname, decodeUtf8(await parts.bytesOf(part)));
      continue;
    }
    if (part.type === 'file') return { texts, file: toUploadedFile(part, parts) };
    if (part.valueTruncated || part.fieldnameTruncated) throw BodyTooLarge();
    texts.set(part.fieldname, typeof part.value === 'string' ? decodeUtf8(Buffer.from(part.value, 'utf8')) : '');
  }
}

/** JSON without a file name is a normal parameter. */
function isText({ mimetype, ...part }: MultipartFile): boolean {
  const filename: string | undefined = part.filename;
  return filename === undefined && mimetype.startsWith('application/json');
}

function toUploadedFile(part: MultipartFile, parts: Parts): UploadedFile {
  return {
    fieldName: part.fieldname,
    filename: part.filename,
    contentType: part.mimetype,
    stream: Readable.from(chunksOf(part)),
    hold: (bytes) => parts.hold(bytes),
    isLast: async () => {
      for (;;) {
        const next = await parts.next();
        if (!next) return true;
        if (next.type !== 'file') continue;
        next.file.destroy();
        return false;
      }
    },
  };
}

/** The bytes of a file; one that ends without the end of its part is the sender's fault. */
async function* chunksOf({ file }: MultipartFile): AsyncGenerator<unknown> {
  try {
    yield* file;
  } catch (error) {
    throw toBodyError(error);
  }
}

function toBodyError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TOO_LARGE.has(code)) return BodyTooLarge();
  return code.startsWith('FST_') || isParserError(error) ? BodyMalformed() : error;
}

const TOO_LARGE: ReadonlySet<string> = new Set(['FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT', 'FST_REQ_FILE_TOO_LARGE']);

/** A boundary that is too long is a needle to the parser. */
function isParserError(error: unknown): boolean {
  return error instanceof Error && /multipart|boundary|part header|unexpected end|needle/i.test(error.message);
}
