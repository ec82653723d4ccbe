// Checks that every colour of the tokens has enough contrast with its background, light and dark, also in high
// contrast.
import { readFileSync } from 'node:fs';
import { contrastFaults } from './contrast.ts';

const faults = contrastFaults(readFileSync('src/features/pages/tokens.css', 'utf8'));
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
