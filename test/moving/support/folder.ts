import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Contents } from './imported.ts';

/** Writes an archive into a new folder; its path. */
export function folderWith(contents: Contents): string {
  const folder = mkdtempSync(join(tmpdir(), 'roost-archive-'));
  for (const [path, value] of Object.entries(contents)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, value instanceof Uint8Array || typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}
