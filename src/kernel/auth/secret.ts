import { timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Compares two secrets in constant time, so that the duration does not tell how much of them agrees. Their lengths are
 * no secret.
 */
export function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * The server secret: from the configuration, or from its file, which is created at the first start and readable by its
 * owner only.
 */
export function loadSecret(configured: string | undefined, file: string, token: (length: number) => string): string {
  if (configured !== undefined) return configured;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // Fails when the file exists, so that two processes that start at once end up with the same secret.
    writeFileSync(file, `${token(64)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
