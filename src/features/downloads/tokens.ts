import { createHmac } from 'node:crypto';
import { constantTimeEqual, deriveKey } from '#kernel/auth';

/** Seconds for which an address without login is valid. See protocol/files#fetching. */
const TOKEN_SECONDS = 60;

/** Returns a signed token for a file, which expires. */
export function fileToken(secret: string, pathId: string, now: number): string {
  const text = Buffer.from(`${now + TOKEN_SECONDS}:${pathId}`).toString('base64url');
  return `${text}.${signature(secret, text)}`;
}

/** Returns the file that a token is for; undefined if the token is invalid or expired. */
export function pathIdOfToken(secret: string, token: string, now: number): string | undefined {
  const [text = '', signed = ''] = token.split('.');
  if (!constantTimeEqual(signed, signature(secret, text))) return undefined;
  const match = /^(\d+):(.+)$/s.exec(Buffer.from(text, 'base64url').toString());
  return match && Number(match[1]) >= now ? match[2] : undefined;
}

function signature(secret: string, text: string): string {
  return createHmac('sha256', deriveKey(secret, 'temporary-file')).update(text).digest('base64url');
}
