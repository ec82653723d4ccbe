import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../faults/support/cluster.ts';
import { Load } from '../faults/support/load.ts';
import { hasServices } from '../faults/support/services.ts';
import { databases } from '../support/databases.ts';
import type { Body } from '../support/client.ts';
import { pause } from '../support/pause.ts';
import { call, demoAccount, MAIN, type ServerProcess } from '../support/process.ts';
import { MODERN } from '../support/sync.ts';
import { buildEarlier, isInHistory } from './earlier-build.ts';

/** The release before this one; until there are releases, the last state of the day before passkeys and mail came in. */
const EARLIER = '8f39a2d';
const PEOPLE = ['member@roost.test', 'member2@roost.test', 'admin@roost.test'];
/** Milliseconds of load with each pair of processes. */
const LOAD_MS = 3000;
type Account = Awaited<ReturnType<typeof demoAccount>>;
const canRun = databases.includes('postgres') && hasServices() && isInHistory(EARLIER);

describe.runIf(canRun)('two processes on postgres that are replaced by those of the next release', () => {
  const cluster = new Cluster({ withRedis: false });
  const folder = mkdtempSync(join(tmpdir(), 'roost-earlier-'));
  beforeAll(async () => {
    cluster.program = buildEarlier(EARLIER, folder);
    await cluster.make(2);
    cluster.program = MAIN;
  });
  afterAll(async () => {
    await cluster.remove();
    rmSync(folder, { recursive: true });
  });

  it('serve side by side: nothing acknowledged is lost or doubled, and queues go on', {
    timeout: 120_000,
  }, async () => {
    const [first] = cluster.nodes;
    if (!first) throw new Error('no process was started');
    const accounts = await Promise.all(PEOPLE.map((email) => demoAccount(first, email)));
    const load = new Load('replaced', () => cluster.nodes.map(({ url }) => url), accounts, 10);
    const before = await stateAt(first, accounts);
    await cluster.replace(0, 'SIGTERM');
    const grown = changedFields(before, await stateAt(cluster.nodes[0] ?? first, accounts));
    await load.begin(4, 4);
    await pause(LOAD_MS);
    expect(load.acknowledged).toBeGreaterThan(0);
    await cluster.replace(1, 'SIGTERM');
    await pause(LOAD_MS);
    await load.end();
    expect(cluster.deaths()).toEqual([]);
    const faults = await load.faults();
    expect(faults.filter((fault) => !grown.some((field) => fault === `${field} is not what the events say`))).toEqual(
      [],
    );
    const { answers } = load.seen();
    // Nothing but what a process says that is on its way out.
    expect(Object.keys(answers).filter((name) => !['200', 'no answer', '503 SERVER_NOT_READY'].includes(name))).toEqual(
      [],
    );
  });
});

/** What somebody is told at the begin of a queue. */
async function stateAt(server: Pick<ServerProcess, 'url'>, [account]: readonly Account[]): Promise<Body> {
  if (!account) throw new Error('nobody is there');
  const state = await call(server, account, 'POST', '/register', MODERN);
  await call(server, account, 'DELETE', '/events', { queue_id: state['queue_id'] });
  return state;
}

/** Fields that a release tells otherwise than the one before: clients learn of those when they register again. */
const changedFields = (before: Body, after: Body): readonly string[] =>
  Object.keys(after).filter((field) => !isDeepStrictEqual(before[field], after[field]));
