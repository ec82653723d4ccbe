// Starting other programs. Everything runs as `node <script>`, so that no shell and no platform's launcher is between.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Entry scripts of the programs in node_modules, relative to the repository. */
export const programs = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  // TypeScript 7 checks; `typescript` beside it is version 6, for the tools that need its JavaScript API.
  tsc: 'node_modules/typescript7/bin/tsc',
  tsx: 'node_modules/tsx/dist/cli.mjs',
  vitest: 'node_modules/vitest/vitest.mjs',
  knip: 'node_modules/knip/bin/knip.js',
};

/** Arguments that run a script in TypeScript; a young generation of 64 MiB spares those that read all sources a tenth. */
export function typescript(script, ...flags) {
  return ['--max-semi-space-size=64', ...flags, '--import', 'tsx', script];
}

/** Runs a script with this process's own input and output. Resolves to the exit code; a signal counts as 1. */
export function attached(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Runs a script and keeps what it writes. Resolves to exit code, output and milliseconds. */
export function captured(args) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8'), ms: performance.now() - started }),
    );
  });
}
