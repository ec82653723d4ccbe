import type { Readable } from 'node:stream';
import type { PageResponse } from '#kernel/endpoint';
import { BodyTooLarge } from '#kernel/errors';
import type { Schema } from '#kernel/schema';

/** Most bytes of a request of a server that has an account. */
const MAX_BYTES = 2 * 2 ** 20;

/** A value, when it has the shape. */
export function readAs<T>(schema: Schema<T>, value: unknown): T | undefined {
  const read = schema.safeParse(value);
  return read.success ? read.data : undefined;
}

/** The body of a request; throws when it is too long. */
export async function readBytes(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw BodyTooLarge();
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString();
}

const headers = { 'content-type': 'application/json' };

/** A success with what it says. */
export function accept(values: object = {}): PageResponse {
  return { headers, body: JSON.stringify({ result: 'success', msg: '', ...values }) };
}

/** A refusal, thrown and answered by the page. */
export class Refused extends Error {
  readonly response: PageResponse;

  constructor(status: number, code: string, msg: string, extra: object = {}) {
    super(msg);
    this.response = { status, headers, body: JSON.stringify({ result: 'error', code, msg, ...extra }) };
  }
}

/** A refusal of what was sent. */
export const badRequest = (msg: string): Refused => new Refused(400, 'BAD_REQUEST', msg);
