// A table is written only from its owner's queries.ts; slices that join it name it under `reads` in their manifest.
// A statement on rows of organizations says of which one.
import { fileURLToPath } from 'node:url';
import { SERVER_WIDE } from './tables/server-wide.ts';
import { findTableViolations } from './tables/tables.ts';

const violations = findTableViolations(fileURLToPath(new URL('..', import.meta.url)), SERVER_WIDE);
for (const violation of violations) process.stdout.write(`${violation}\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
