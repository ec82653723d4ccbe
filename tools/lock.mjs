// Makes package-lock.json anew without download addresses, so that any mirror of the npm registry serves it.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

rmSync('package-lock.json', { force: true });
execFileSync('npm', ['install', '--package-lock-only'], { stdio: 'inherit' });
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
for (const entry of Object.values(lock.packages)) delete entry.resolved;
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
