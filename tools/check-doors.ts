// Checks imports: the order of rooms and slices, front doors, and what only named rooms may import.
import { fileURLToPath } from 'node:url';
import { digestOfDoors, unlessClean } from './doors/memory.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const violations = await unlessClean('node_modules/.cache/doors', digestOfDoors(root), async () => {
  // Loaded only when needed: loading it takes longer than finding out that nothing has changed.
  const { findDoorViolations } = await import('./doors/doors.ts');
  return findDoorViolations(root);
});
for (const violation of violations) process.stdout.write(`${violation}\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
