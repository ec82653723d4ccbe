import { createHash } from 'node:crypto';

/** The SHA-256 of a text or of bytes, in hexadecimal unless asked otherwise. Long random secrets are stored as this. */
export function sha256(data: string | Uint8Array, encoding: 'base64' | 'base64url' | 'hex' = 'hex'): string {
  return createHash('sha256').update(data).digest(encoding);
}
