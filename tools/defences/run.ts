// npm run defences [-- parts of names, files or tests]: removes each defence in a copy of the project, and checks that its test fails.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Defence } from './defence.ts';
import { DEFENCES } from './list.ts';

const root = resolve(import.meta.dirname, '../..');
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', 'data']);
/** Milliseconds that one test may take. */
const MAX_MS = 300_000;
/** Most bytes of a run's output: a failed test may print a whole page. */
const MAX_OUTPUT = 64 * 2 ** 20;

/** Copies the project, but shares its installed packages. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'roost-defences-'));
  const filter = (path: string) => !NOT_COPIED.has(path.slice(root.length + 1));
  cpSync(root, folder, { recursive: true, filter });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Reads the numbers in the report of a test run. */
function countsIn(report: string): { readonly numPassedTests: number; readonly numFailedTests: number } {
  const number = (name: string) => Number(new RegExp(`"${name}":(\\d+)`).exec(report)?.[1] ?? 0);
  return { numPassedTests: number('numPassedTests'), numFailedTests: number('numFailedTests') };
}

type Outcome = 'passed' | 'failed' | 'not run';

function runTest(folder: string, { test, named }: Pick<Defence, 'test' | 'named'>): Outcome {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    test,
    '--reporter=json',
    // Runs differ from each other in one file only.
    '--experimental.fsModuleCache',
    ...(named === '' ? [] : ['-t', named]),
  ];
  const env = { ROOST_TEST_DATABASES: 'sqlite', ...process.env };
  const options = { cwd: folder, env, timeout: MAX_MS, maxBuffer: MAX_OUTPUT, encoding: 'utf8' } as const;
  const { stdout } = spawnSync(process.execPath, args, options);
  const report = /\{"numTotalTestSuites".*\}/s.exec(stdout)?.[0];
  if (report === undefined) return 'not run';
  const { numPassedTests, numFailedTests } = countsIn(report);
  if (numFailedTests > 0) return 'failed';
  return numPassedTests > 0 ? 'passed' : 'not run';
}

/** Results of test files for the unchanged project. */
const asItIs = new Map<string, Outcome>();

/** Returns a pattern of the names of all tests of a file that are needed; empty for the whole file. */
function namesIn(test: string): string {
  const names = tried.filter((one) => one.test === test).map(({ named }) => named);
  return names.includes('')
    ? ''
    : [...new Set(names)].map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
}

/** Returns what is wrong with a defence: its test fails with it, or passes without it. */
function faultOf(folder: string, defence: Defence): string | undefined {
  const { test } = defence;
  // On a machine with other load one of many tests may exceed its time: then they run again.
  const tryAsItIs = () => runTest(folder, { test, named: namesIn(test) });
  if (asItIs.get(test) !== 'passed') {
    const first = tryAsItIs();
    asItIs.set(test, first === 'passed' ? first : tryAsItIs());
  }
  if (asItIs.get(test) !== 'passed') return 'the tests do not pass as it is';
  const path = join(folder, defence.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(defence.from, () => defence.to),
  );
  const without = runTest(folder, defence);
  writeFileSync(path, text);
  return without === 'failed' ? undefined : `without it, its test ${without === 'passed' ? 'passes' : 'does not run'}`;
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : [''];
const tried = DEFENCES.filter(({ keeps, file, test }) =>
  wanted.some((part) => [keeps, file, test].some((text) => text.includes(part))),
);
const folder = copyProject();
let faults = 0;
for (const defence of tried) {
  const fault = faultOf(folder, defence);
  if (fault !== undefined) faults++;
  process.stdout.write(
    `${fault === undefined ? 'held  ' : 'FAULT '}  keeps ${defence.keeps}${fault === undefined ? '' : `: ${fault}`}\n`,
  );
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = faults > 0 ? 1 : 0;
