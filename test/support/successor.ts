import { TestClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import { openServer, type Server } from '../../src/server.ts';
import type { TestDatabase } from './databases.ts';

/** Milliseconds, longer than a lease. */
const LATER_MS = 150_000;

/** Opens a server on the database of one that was killed, and does the work that is left. */
export async function openSuccessor(
  { dataDir, databaseUrl }: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
  authorities: readonly string[] = [],
): Promise<Server> {
  const config = readConfig({
    ROOST_DATA_DIR: dataDir,
    ROOST_MODE: 'development',
    ROOST_RATE_LIMITS: 'off',
    ...(databaseUrl !== undefined && { ROOST_DATABASE_URL: databaseUrl }),
    ...environment,
  });
  const clock = new TestClock(Date.now() + LATER_MS);
  const log = openLog('error', { write: (line: string) => process.stderr.write(line) });
  const server = await openServer({ config, clock, log, authorities, strict: true });
  await server.listener.ready();
  await server.context.events.start();
  server.context.jobs.start(server.context);
  await server.context.jobs.idle();
  return server;
}
