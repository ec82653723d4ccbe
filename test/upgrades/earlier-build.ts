import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Whether the history that is here holds a commit; a copy without its history does not. */
export function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds the program as it was at a commit, into `folder`; path of what Node runs. The packages are those of today: between
 * neighbouring releases they only gain.
 */
export function buildEarlier(commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'tree.tar');
  writeFileSync(archive, execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 }));
  execFileSync('tar', ['xf', archive], { cwd: folder });
  rmSync(archive);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const build =
    "import('./tools/run/application.mjs').then(async ({ build }) => { process.exitCode = await build(); });";
  execFileSync(process.execPath, ['--eval', build], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'dist/main.js');
}
