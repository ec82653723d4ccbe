import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { INSTALL_MS, installed } from './installed.ts';

const run = promisify(execFile);

/** Loads an installed package. */
type Load = (name: string) => Promise<Record<string, unknown>>;

/** Resolves packages from their folder; some contain only data. */
const LOADER = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const load = (name) => import(name).catch(() => ({ default: require(name) }));
`;

/** Installs packages from npm into a folder of their own; undefined where they cannot be had. */
export async function npmWith(packages: readonly string[]): Promise<Load | undefined> {
  const folder = await installed('npm', packages, async (place) => {
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--loglevel=error'];
    await run('npm', ['install', '--prefix', place, ...flags, ...packages], { cwd: place, timeout: INSTALL_MS });
    await writeFile(join(place, 'loader.mjs'), LOADER);
  });
  if (folder === undefined) return undefined;
  const { load } = (await import(pathToFileURL(join(folder, 'loader.mjs')).href)) as { load: Load };
  return load;
}
