import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders whose imports are checked. */
export const sourceFolders = ['src', 'web', 'test', 'bench', 'tools'] as const;

/** Paths of all TypeScript files under `folder` of `root`, relative to `root`, with forward slashes; sorted. */
export function typescriptFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : typescriptFiles(root, path);
      return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
    })
    .sort();
}

/** Names of the folders directly under `folder` of `root`; none when it is missing. */
export function foldersIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
