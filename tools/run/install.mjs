// Installs the dependencies when they are missing or belong to another lock file.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

const lock = join(root, 'package-lock.json');
// A copy of the lock file that node_modules was installed from; written here only.
const installed = join(root, 'node_modules', '.installed-lock');

function isInstalled() {
  try {
    return readFileSync(installed).equals(readFileSync(lock));
  } catch {
    return false;
  }
}

/**
 * Makes node_modules fit package-lock.json.
 * By `npm install`, not `npm ci`: the lock file names only the optional packages (binaries of other platforms) that the
 * registry had when it was made, and `npm ci` refuses such a lock file where `npm install` passes over the gap.
 */
export function ensureInstalled() {
  if (isInstalled()) return;
  process.stderr.write('Installing dependencies ...\n');
  const result = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    process.stderr.write('Installing dependencies failed; see the lines above.\n');
    process.exit(1);
  }
  // Written beside and renamed, so that a half-written or shared file never passes for a finished installation.
  copyFileSync(lock, `${installed}.new`);
  renameSync(`${installed}.new`, installed);
}
