import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pause } from './pause.ts';

const run = promisify(execFile);

/** Milliseconds that installing packages may take, for whoever does it and for those who wait for it. */
const INSTALL_MS = 240_000;

/** Published clients in Python, as they are on the package index. */
export const PYTHON_CLIENTS = ['zulip==0.9.1', 'zulip_bots==0.9.1', 'zulip-term==0.7.0'];

/**
 * The folder of programs of a Python environment with these packages, made once and kept between runs; undefined, and
 * said so, where there is no Python 3 or the packages cannot be had. On the build machine that is an error.
 */
export async function pythonWith(packages: readonly string[]): Promise<string | undefined> {
  try {
    return await environment(packages);
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    process.stdout.write(`left out: tests that need Python 3 with ${packages.join(', ')}\n`);
    return undefined;
  }
}

async function environment(packages: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `roost-python-${hash}`);
  const ready = join(folder, 'ready');
  // Whoever makes the folder installs; others wait until it is ready.
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) await install(folder, ready, packages);
  else await until(ready);
  return join(folder, 'venv', 'bin');
}

async function install(folder: string, ready: string, packages: readonly string[]): Promise<void> {
  const venv = join(folder, 'venv');
  try {
    await run('python3', ['-m', 'venv', venv], { timeout: INSTALL_MS });
    // The terminal client names an upper bound of Python that it does not need.
    const flags = ['--quiet', '--disable-pip-version-check', '--ignore-requires-python'];
    await run(join(venv, 'bin', 'pip'), ['install', ...flags, ...packages], { timeout: INSTALL_MS });
    await mkdir(ready);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function until(ready: string): Promise<void> {
  const deadline = performance.now() + INSTALL_MS;
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
