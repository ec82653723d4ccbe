import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '#kernel/auth';
import { HeaderMissing } from './faults.ts';

/** How a service signs its calls: a header computed with a shared secret. */
export interface Signature {
  readonly header: string;
  /** `plain` sends the secret itself; the others are HMACs. */
  readonly algorithm: 'md5' | 'sha1' | 'sha256' | 'plain';
  /** Encoding of the signature; hex by default. */
  readonly encoding?: 'hex' | 'base64';
  /** Text before the signature. */
  readonly prefix?: string;
  /** A second header with a time that is signed before the body, in the form that `signed` gives. */
  readonly timeHeader?: string;
  /** Returns what is signed before the body. */
  readonly signed?: (time: string) => string;
  /** Splits a header that has both the time and the signatures. */
  readonly parts?: (header: string) => { readonly time: string; readonly signatures: readonly string[] };
}

/** Oldest accepted signature with a time, in seconds. */
const MAX_AGE_SECONDS = 300;

/** What a signature is checked against. */
export interface Signed {
  readonly header: (name: string) => string;
  readonly body: Buffer;
  readonly secret: string;
  /** Seconds since 1970. */
  readonly now: number;
}

/** Whether a call is signed with the secret; throws if the signature is missing. */
export function isSigned(signature: Signature, { header, body, secret, now }: Signed): boolean {
  const sent = header(signature.header);
  if (sent === '') throw new HeaderMissing(signature.header);
  if (signature.algorithm === 'plain') return constantTimeEqual(sent, secret);
  const { time, signatures } = signature.parts?.(sent) ?? {
    time: signature.timeHeader === undefined ? '' : header(signature.timeHeader),
    signatures: sent.split(',').map((one) => one.trim()),
  };
  const isTimed = signature.timeHeader !== undefined || signature.parts !== undefined;
  if (isTimed && !(Math.abs(now - secondsOf(time)) <= MAX_AGE_SECONDS)) return false;
  const hmac = createHmac(signature.algorithm, secret);
  hmac.update(signature.signed?.(time) ?? '').update(body);
  const right = `${signature.prefix ?? ''}${hmac.digest(signature.encoding ?? 'hex')}`;
  return signatures.some((one) => constantTimeEqual(one, right));
}

/** Seconds since 1970 of a time that is such a number, or in ISO 8601. */
function secondsOf(time: string): number {
  return /^\d+$/.test(time) ? Number(time) : Date.parse(time) / 1000;
}

/** The most common signature: HMAC-SHA256 of the body, in hex. */
export const sha256 = (header: string, prefix = ''): Signature => ({ header, algorithm: 'sha256', prefix });
