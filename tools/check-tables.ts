// A table is written only from its owner's queries.ts; slices that join it name it under `reads` in their manifest.
// A statement on rows of organizations says of which one. What takes a caller takes no organization. All of this, and the
// sizes that it shows besides, reads the syntax of every source, which is parsed once.
import { fileURLToPath } from 'node:url';
import { findDoubleCallers } from './doors/callers.ts';
import { showSizes } from './support/sizes.ts';
import { SERVER_WIDE } from './tables/server-wide.ts';
import { findTableViolations } from './tables/tables.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const violations = [...findTableViolations(root, SERVER_WIDE), ...findDoubleCallers(root)];
for (const violation of violations) process.stdout.write(`${violation}\n`);
showSizes(root);
process.exitCode = violations.length === 0 ? 0 : 1;
