import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentMib } from '../support/child.ts';
import { Connection, request } from '../support/connection.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { report } from '../support/statistics.ts';

/** B1: time from an empty data folder to the first answer; memory at rest, and with 1,000 registered queues. */
export async function b1(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-start-'));
  const fresh = await startRoost(folder);
  report('B1', 'start: empty data folder to ready (bar 1,000)', `${fresh.readyMs.toFixed(0)} ms`);
  report('B1', 'resident after the start (bar 120)', `${residentMib(fresh.pid).toFixed(0)} MiB`);
  await fresh.stop();
  rmSync(folder, { recursive: true });
  const { folder: seeded, accounts, remove } = await prepare({ users: 50, channels: 20, subscribers: 25 });
  const server = await startRoost(seeded);
  const connection = await Connection.open(server.port);
  for (let i = 0; i < 1000; i++)
    await connection.send(
      request(accounts[i % accounts.length], 'POST', '/register', { event_types: ['message'], fetch_event_types: [] }),
    );
  report('B1', 'resident with 1,000 registered queues (bar 300)', `${residentMib(server.pid).toFixed(0)} MiB`);
  connection.close();
  await server.stop();
  remove();
}
