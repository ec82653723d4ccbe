// Checks that citations of the protocol and of decisions, and links between pages, lead somewhere.
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { findCitationFaults } from './citations/citations.ts';

/**
 * The files that are checked: sources and pages; not notes on changes for users, nor the check itself, which contains
 * what it searches for.
 */
const READ = /^(?!changes\/(?!README)|tools\/citations\/).*\.(?:[cm]?[jt]sx?|py|md|css|html)$/;

const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => READ.test(path) && lstatSync(path, { throwIfNoEntry: false })?.isFile());
const faults = findCitationFaults(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })));
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
