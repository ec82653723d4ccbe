import { defineCommand } from 'citty';
import { type Call, seedDemo } from '#features/demo';
import type { Server } from '../server.ts';
import { callApi } from './operator/api-call.ts';
import { orRefuse } from './refusal.ts';
import { configOrExit, openConfiguredServer, runServer } from './run-server.ts';

export const demo = defineCommand({
  meta: { name: 'demo', description: 'Serve the demo organization in development mode' },
  run: () =>
    orRefuse(async () => {
      const config = configOrExit({ ROOST_MODE: 'development', ROOST_DATA_DIR: './data/demo' });
      const server = await openConfiguredServer({ ...config, mode: 'development' });
      await server.listener.ready();
      await seedDemo(server.context, callerOf(server));
      const url = await runServer(server);
      process.stdout.write(`ready ${url}\n`);
    }),
});

/** Calls the server's API without a socket. */
function callerOf(server: Server): Call {
  const { host } = new URL(server.context.server.externalUrl);
  return (account, method, path, fields) => callApi(server, { account, host, method, path, fields });
}
