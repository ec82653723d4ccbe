// Makes a fixture of PostgreSQL: what the program left of the demo organization as it was at a commit, as plain SQL.
//   npx tsx --conditions=source test/upgrades/make-fixture.ts 66d01ef 2026-11-22
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { copyPostgres, removePostgres, urlOf } from '../support/postgres-databases.ts';
import { startProcess } from '../support/process.ts';
import { buildEarlier } from './earlier-build.ts';
import { emptyPostgres } from './old-postgres.ts';

const [, , commit = '', name = ''] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'roost-fixture-'));
const database = await copyPostgres();
try {
  await emptyPostgres(urlOf(database));
  const program = buildEarlier(commit, join(folder, 'tree'));
  const place = { dataDir: join(folder, 'data'), databaseUrl: urlOf(database), remove: async () => undefined };
  const server = await startProcess(place, 0, {}, 'demo', { program });
  await server.kill('SIGTERM');
  const flags = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=200'];
  const dump = execFileSync('pg_dump', [...flags, urlOf(database)], { encoding: 'utf8', maxBuffer: 1 << 28 });
  // Without what only psql understands, and what says when and by whom.
  const sql = dump.replace(/^(?:--.*|\\.*|SET .*;|SELECT pg_catalog\.set_config.*)?\n/gm, '');
  writeFileSync(new URL(`fixtures/${name}.sql.gz`, import.meta.url), gzipSync(sql, { level: 9 }));
} finally {
  await removePostgres(database);
  rmSync(folder, { recursive: true });
}
