// Who may import whom: order of rooms and slices, front doors, and what only named rooms may import. What takes a caller
// takes no organization.
import { fileURLToPath } from 'node:url';
import { findDoubleCallers } from './doors/callers.ts';
import { findDoorViolations } from './doors/doors.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const violations = [...(await findDoorViolations(root)), ...findDoubleCallers(root)];
for (const violation of violations) process.stdout.write(`${violation}\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
