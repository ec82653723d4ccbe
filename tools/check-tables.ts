// Checks that only the queries.ts of a table's owner writes it, that slices which join it list it under `reads` in their manifest,
// that a statement on rows of organizations says of which one, and that nothing takes a caller and an organization. Also prints
// the sizes of files and functions, because all of this uses the syntax of every source, which is parsed once.
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
