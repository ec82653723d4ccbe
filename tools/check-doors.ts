// Who may import whom: order of rooms and slices, front doors, and what only named rooms may import.
import { fileURLToPath } from 'node:url';
import { findDoorViolations } from './doors/doors.ts';

const violations = await findDoorViolations(fileURLToPath(new URL('..', import.meta.url)));
for (const violation of violations) process.stdout.write(`${violation}\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
