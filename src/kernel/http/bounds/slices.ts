import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';

/** Bytes that are parsed at once; a chunk of 64 KiB can have more than a thousand parts. */
const SLICE_BYTES = 8 * 1024;

/** Splits a body into small slices, so that other work runs between them. */
class Slices extends Transform {
  /** The parser reads the headers from the stream. */
  readonly headers: IncomingHttpHeaders;
  #rest: Buffer = Buffer.alloc(0);
  #done: TransformCallback = () => undefined;
  #isWaiting = false;

  constructor(headers: IncomingHttpHeaders) {
    // Accepts the next chunk only after this one was read; in object mode, slices are not joined again.
    super({ writableHighWaterMark: 1, readableObjectMode: true, readableHighWaterMark: 1 });
    this.headers = headers;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#rest = chunk;
    this.#done = done;
    this.#next();
  }

  override _read(size: number): void {
    if (!this.#isWaiting) return super._read(size);
    this.#isWaiting = false;
    setImmediate(() => this.#next());
  }

  #next(): void {
    if (this.destroyed) return;
    const slice = this.#rest.subarray(0, SLICE_BYTES);
    this.#rest = this.#rest.subarray(SLICE_BYTES);
    const isWanted = this.push(slice);
    if (this.#rest.length === 0) this.#done();
    else if (isWanted) setImmediate(() => this.#next());
    else this.#isWaiting = true;
  }
}

/** The body of a request in small slices; ends early if the request does. */
export function slicesOf(raw: IncomingMessage): Slices {
  const slices = new Slices(raw.headers);
  raw.once('close', () => {
    if (!raw.readableEnded) slices.destroy();
  });
  return raw.pipe(slices);
}
