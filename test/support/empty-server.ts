import { TestClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import { openServer, type Server } from '../../src/server.ts';
import { type DatabaseName, makeDatabase } from './databases.ts';

/** A server without any organization, into which one is imported. */
export interface EmptyServer {
  readonly server: Server;
  close(): Promise<void>;
}

export async function openEmptyServer(database: DatabaseName, clock = new TestClock()): Promise<EmptyServer> {
  const made = await makeDatabase(database);
  const server = await openServer({
    config: readConfig({
      ROOST_DATA_DIR: made.dataDir,
      ROOST_EXTERNAL_URL: 'http://localhost:9991',
      ROOST_MODE: 'development',
      ...(made.databaseUrl !== undefined && { ROOST_DATABASE_URL: made.databaseUrl }),
    }),
    clock,
    log: openLog('error', process.stderr),
    strict: true,
  });
  await server.listener.ready();
  await server.context.events.start();
  return {
    server,
    close: async () => {
      await server.stop();
      await made.remove();
    },
  };
}
