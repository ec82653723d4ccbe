import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of packages, build output, and a server's data. */
const NOT_OURS = /^(?:node_modules|dist|data|coverage|\..*)$/;

/** Folders whose imports are checked. */
export const sourceFolders = ['src', 'web', 'test', 'bench', 'tools'] as const;

/**
 * Returns the sorted paths of all TypeScript files under `folder` of `root`, relative to `root`, with forward slashes.
 */
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

/** Returns the names of the folders directly under `folder` of `root`; none when it is missing. */
export function foldersIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Returns the paths of all code files at `root` that the linter reads, relative to it. */
export function lintable(root: string): string[] {
  const own = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : own(path);
      return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
    });
  return own('');
}
