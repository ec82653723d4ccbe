// Computes what the doors check depends on, so that it runs only when some of that has changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldersIn, sourceFolders, typescriptFiles } from '../support/sources.ts';

/** Files read as a whole besides all imports: the rules, what resolves imports, and the list of packages. */
const WHOLE = /^(tools\/(doors\/[a-z]+|support\/sources)\.ts|src\/features\.ts)$/;
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** Matches where an import, an export from elsewhere or a `require` names a module; false matches only cost time. */
const NAMED = /\b(?:from|import|require)\s*\(?\s*(?:(?:\/\*.*?\*\/|\/\/[^\n]*)\s*)*['"`]|^\/\/\/[^\n]*/gms;

/** Returns the beginning of a file that contains all of its imports: up to the last place that names a module. */
export function importsOf(text: string): string {
  let end = 0;
  for (const { index, 0: match } of text.matchAll(NAMED)) end = index + match.length;
  return end === 0 ? '' : text.slice(0, text.indexOf('\n', end) + 1 || undefined);
}

/** Returns a digest of everything that the doors check reads in the repository at `root`. */
export function digestOfDoors(root: string): string {
  const hash = createHash('sha256');
  const add = (path: string, text: string) => hash.update(`${path}\0${text.length}\0${text}\0`);
  for (const folder of ['src/kernel', 'src/features']) add(folder, foldersIn(root, folder).join());
  for (const path of SETTINGS) if (existsSync(join(root, path))) add(path, readFileSync(join(root, path), 'utf8'));
  for (const path of sourceFolders.flatMap((folder) => typescriptFiles(root, folder))) {
    const text = readFileSync(join(root, path), 'utf8');
    add(path, WHOLE.test(path) ? text : importsOf(text));
  }
  return hash.digest('hex');
}

/** Runs `find` unless it found nothing for this digest before; findings are not remembered. */
export async function unlessClean(
  memory: string,
  digest: string,
  find: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (existsSync(memory) && readFileSync(memory, 'utf8') === digest) return [];
  const found = await find();
  if (found.length > 0) return found;
  mkdirSync(dirname(memory), { recursive: true });
  writeFileSync(memory, digest);
  return [];
}
