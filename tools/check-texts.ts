// Checks that the repository is the same everywhere: it has no source that git ignores, no path of a developer's machine, and no
// address of a package registry.
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { sourceFolders } from './support/sources.ts';
import { findInLock, findInText } from './texts.ts';

function listFiles(...options: readonly string[]): string[] {
  return execFileSync('git', ['ls-files', '-z', '--exclude-standard', ...options], { encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && lstatSync(path, { throwIfNoEntry: false })?.isFile());
}

// Includes new files that are not tracked yet.
const findings = listFiles('--cached', '--others').flatMap((path) => {
  const text = readFileSync(path, 'utf8');
  return path === 'package-lock.json' ? [...findInText(path, text), ...findInLock(text)] : findInText(path, text);
});
// A source file that git ignores exists only on its author's machine.
for (const path of listFiles('--others', '--ignored', '--', ...sourceFolders)) {
  if (!path.endsWith('.DS_Store')) findings.push(`${path}: git ignores it`);
}
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
