import { systemClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import { firstOrganizationLink } from '#features/organizations';
import { openServer } from '../../src/server.ts';
import { makeDatabase } from './databases.ts';

/** A server that waits for its first organization, for a browser. */
export interface Founding {
  readonly origin: string;
  /** Address of the form that creates the organization. */
  readonly link: string;
  readonly close: () => Promise<void>;
}

export async function openFounding(): Promise<Founding> {
  const place = await makeDatabase('sqlite');
  const environment = { ROOST_DATA_DIR: place.dataDir, ROOST_PORT: '0', ROOST_EXTERNAL_URL: 'http://localhost:9991' };
  const config = readConfig(environment);
  const server = await openServer({ config, clock: systemClock, log: openLog('silent'), strict: false });
  const origin = `http://127.0.0.1:${await server.start()}`;
  const link = (await firstOrganizationLink(server.context)) ?? '';
  return {
    origin,
    link: `${origin}${new URL(link).pathname}`,
    close: async () => {
      await server.stop();
      await place.remove();
    },
  };
}
