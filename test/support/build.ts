import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs in vitest's own process before all tests: builds the program that some of them start as processes. */
export function setup(): void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  execFileSync(process.execPath, ['tools/run.mjs', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
