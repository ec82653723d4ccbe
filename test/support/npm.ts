import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { INSTALL_MS, installed } from './installed.ts';

const run = promisify(execFile);

/** Loads a package of those that were installed. */
type Load = (name: string) => Promise<Record<string, unknown>>;

/** Packages of npm as they are in the registry, in a folder of their own; undefined where they cannot be had. */
export async function npmWith(packages: readonly string[]): Promise<Load | undefined> {
  const folder = await installed('npm', packages, async (place) => {
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--loglevel=error'];
    await run('npm', ['install', '--prefix', place, ...flags, ...packages], { cwd: place, timeout: INSTALL_MS });
  });
  if (folder === undefined) return undefined;
  const require = createRequire(join(folder, 'main.js'));
  return (name) => {
    const file = require.resolve(name);
    return file.endsWith('.json')
      ? Promise.resolve({ default: require(file) as unknown })
      : (import(pathToFileURL(file).href) as ReturnType<Load>);
  };
}
