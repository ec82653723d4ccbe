import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { databasesInTurn } from '../support/databases.ts';
import { startProduction } from '../support/production.ts';

/** What a package would do that asks for an address of its own, over and over, from the begin of the process. */
const careless = (address: string) =>
  `let number = 0;
   const ask = (own = ++number) => fetch('${address}').then(
     () => console.log('asked ' + own), ({ message }) => console.log('refused ' + own + ': ' + message));
   setInterval(() => ask(), 50).unref();
   ask();`;

describe.each(databasesInTurn(import.meta.url))('a server in production on %s', (name) => {
  it('lets no package ask for an address by the fetch of Node (security#asvs, 1.3.6)', async () => {
    const inside = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    const { port } = inside.address() as AddressInfo;
    const script = encodeURIComponent(careless(`http://127.0.0.1:${port}/`)).replaceAll("'", '%27');
    const production = await startProduction(name, { NODE_OPTIONS: `--import=data:text/javascript,${script}` });
    try {
      const numbers = (answer: string) =>
        [...production.server.output().matchAll(new RegExp(`^${answer} (\\d+)`, 'gm'))].map(([, own]) => Number(own));
      // Before it serves, the script does get through.
      await expect.poll(() => numbers('asked').length).toBeGreaterThan(0);
      await expect.poll(() => numbers('refused').length).toBeGreaterThan(1);
      expect(production.server.output()).toMatch(/^refused \d+: fetch is closed/m);
      expect(Math.max(...numbers('asked'))).toBeLessThan(Math.min(...numbers('refused')));
    } finally {
      await production.stop();
      inside.close();
    }
  });
});
