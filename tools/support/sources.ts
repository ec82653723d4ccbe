import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of packages, of what is built, and of the data of a server. */
const NOT_OURS = /^(?:node_modules|dist|data|coverage|\..*)$/;

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

/** Paths of all files of code at `root` that a linter reads, relative to it. */
export function lintable(root: string): string[] {
  const own = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : own(path);
      return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
    });
  return own('');
}
