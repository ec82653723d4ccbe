import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Writes files, given by path and text, under `root`. */
export function plant(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Runs `work` in a new folder that contains `files`, and removes the folder. */
export async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  work: (root: string) => T | Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'roost-tools-'));
  try {
    plant(root, files);
    return await work(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
