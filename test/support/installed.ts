import { createHash } from 'node:crypto';
import { access, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from './pause.ts';

/** Milliseconds that one step of installing packages may take. */
export const INSTALL_MS = 240_000;
/** Milliseconds for which others wait for the process that installs in two steps. */
const WAIT_MS = 2 * INSTALL_MS + 60_000;

/**
 * Returns a folder into which `install` has put packages, made once and kept between runs. Where they cannot be had it
 * prints a line and returns undefined; in CI it throws.
 */
export async function installed(
  language: string,
  packages: readonly string[],
  install: (folder: string) => Promise<unknown>,
): Promise<string | undefined> {
  try {
    return await madeOnce(language, packages, install);
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    process.stdout.write(`left out: tests that need ${language} with ${packages.join(', ')}\n`);
    return undefined;
  }
}

async function madeOnce(
  language: string,
  packages: readonly string[],
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const hash = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `roost-${language.toLowerCase()}-${hash}`);
  const ready = join(folder, 'ready');
  // The process that creates the folder installs; others wait until it is ready.
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (!isFirst) {
    await until(ready);
    return folder;
  }
  try {
    await install(folder);
    await mkdir(ready);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

async function until(ready: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const isReady = await access(ready).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > deadline) throw new Error(`${ready} did not come`);
    await pause(500);
  }
}
