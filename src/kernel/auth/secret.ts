import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The server secret: as configured, or from its file, which is made at the first start and only its owner may read. */
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
