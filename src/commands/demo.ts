import { defineCommand } from 'citty';
import { type Call, seedDemo } from '#features/demo';
import { apiKeyFor } from '#kernel/auth';
import type { Server } from '../server.ts';
import { configOrExit, openConfiguredServer, runServer } from './run-server.ts';

export const demo = defineCommand({
  meta: { name: 'demo', description: 'Serve the demo organization in development mode' },
  run: async () => {
    const config = configOrExit({ ROOST_MODE: 'development', ROOST_DATA_DIR: './data/demo' });
    const server = await openConfiguredServer({ ...config, mode: 'development' });
    await server.listener.ready();
    await seedDemo(server.kit, callerOf(server));
    const url = await runServer(server);
    process.stdout.write(`ready ${url}\n`);
  },
});

/** Calls the server's API without a socket. */
function callerOf({ kit, listener }: Server): Call {
  return async (account, method, path, fields) => {
    const key = apiKeyFor(kit.server.secret, account.id, account.api_key_version);
    const response = await listener.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        host: new URL(kit.server.externalUrl).host,
        authorization: `Basic ${Buffer.from(`${account.email}:${key}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams(
        Object.entries(fields).map(([name, value]): [string, string] => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ).toString(),
    });
    const body = response.json<Record<string, unknown>>();
    if (body['result'] !== 'success') throw new Error(`seeding ${method} ${path} failed: ${response.body}`);
    return body;
  };
}
