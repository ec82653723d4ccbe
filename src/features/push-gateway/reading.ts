import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { BodyTooLarge } from '#kernel/errors';

/** Most bytes of a request from a server with an account. */
const MAX_BYTES = 2 * 2 ** 20;

/**
 * Reads the body of a request. Throws if it is too long, or if the bodies of all servers together take too much memory,
 * and what `admit` throws if the body arrived slowly.
 */
export async function readBytes(request: PageRequest, admit: () => Promise<unknown>): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw BodyTooLarge();
  const bytes = await request.content(admit);
  if (bytes.length > MAX_BYTES) throw BodyTooLarge();
  return bytes.toString();
}

const headers = { 'content-type': 'application/json' };

/** A success with its values. */
export function accept(values: object = {}): PageResponse {
  return { headers, body: JSON.stringify({ result: 'success', msg: '', ...values }) };
}

/** A refusal, which is thrown and becomes the answer of the page. */
export class Refused extends Error {
  readonly response: PageResponse;

  constructor(status: number, code: string, msg: string, extra: object = {}) {
    super(msg);
    this.response = { status, headers, body: JSON.stringify({ result: 'error', code, msg, ...extra }) };
  }
}

/** A refusal of an invalid request. */
export const badRequest = (msg: string): Refused => new Refused(400, 'BAD_REQUEST', msg);
