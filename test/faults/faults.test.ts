import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slowness } from '../support/machine.ts';
import { pause } from '../support/pause.ts';
import { demoAccount } from '../support/process.ts';
import { findObjectStoreProgram } from '../support/object-store-program.ts';
import { filesFaults, movingFaults } from './more-scenarios.ts';
import { databaseFaults, redisFaults, type Scenario } from './scenarios.ts';
import { Cluster } from './support/cluster.ts';
import { Load } from './support/load.ts';
import { hasServices } from './support/services.ts';
import { type Round, rowOf, Table } from './support/table.ts';

/** Minutes for which all faults are made again and again; without it a few are made once. */
const MINUTES = Number(process.env['ROOST_TEST_FAULTS_MINUTES'] ?? 0);
/** Part of the names of the faults that are made. */
const ONLY = process.env['ROOST_TEST_FAULTS_ONLY'] ?? '';
const PEOPLE = ['member@roost.test', 'member2@roost.test', 'admin@roost.test', 'moderator@roost.test'];
/** Milliseconds of load before and after a fault. */
const BEFORE_MS = 1000;
const AFTER_MS = 3000;

interface Place {
  readonly name: string;
  readonly withRedis?: boolean;
  readonly withFiles?: boolean;
  readonly scenarios: readonly Scenario[];
  readonly senders: number;
  /** Who sends files all the time. */
  readonly uploaders?: number;
  /** With limits on, nobody may send more than a few messages a second. */
  readonly paceMs: number;
  /** Its part of the minutes. */
  readonly share: number;
}

const hasObjectStore = hasServices() && (await findObjectStoreProgram()) !== undefined;

const places: readonly Place[] = [
  { name: 'PostgreSQL', scenarios: [...databaseFaults, ...movingFaults], senders: 4, paceMs: 10, share: 0.6 },
  { name: 'PostgreSQL and Redis', withRedis: true, scenarios: redisFaults, senders: 3, paceMs: 700, share: 0.15 },
  {
    name: 'PostgreSQL and an object store',
    withFiles: true,
    scenarios: filesFaults,
    senders: 2,
    uploaders: 2,
    paceMs: 50,
    share: 0.25,
  },
];

const chosenOf = ({ scenarios }: Place) =>
  scenarios.filter(({ name, isShort }) => (isShort || MINUTES > 0) && name.includes(ONLY));
const usable = places.filter((place) => chosenOf(place).length > 0 && (!place.withFiles || hasObjectStore));

describe.skipIf(!hasServices()).each(usable)('two processes on $name', (place) => {
  const cluster = new Cluster(place);
  const chosen = chosenOf(place);
  const table = new Table();
  let accounts: Awaited<ReturnType<typeof demoAccount>>[] = [];

  beforeAll(async () => {
    await cluster.make(2);
    const [first] = cluster.nodes;
    if (!first) throw new Error('no process was started');
    accounts = await Promise.all(PEOPLE.map((email) => demoAccount(first, email)));
  });
  afterAll(async () => {
    if (MINUTES > 0) process.stdout.write(`${table.toString()}\n`);
    await cluster.remove();
  });

  const run = async (scenario: Scenario, round: number): Promise<Round> => {
    const nodes = () => cluster.nodes.map((node) => node.url);
    const load = new Load(`${scenario.name} ${round}`, nodes, accounts, place.paceMs);
    await load.begin(place.senders, 2, place.uploaders);
    await pause(BEFORE_MS);
    // On a busy machine the first message takes longer.
    for (let waited = 0; load.acknowledged === 0 && waited < 20; waited++) await pause(BEFORE_MS);
    expect(load.acknowledged).toBeGreaterThan(0);
    const awayMs = await scenario.act(cluster, load);
    await pause(AFTER_MS);
    await load.end();
    expect(cluster.deaths()).toEqual([]);
    expect.soft(await load.faults(), scenario.name).toEqual([]);
    const seen = load.seen();
    // An answer of 500 is refused below; here stands what the server says of it.
    if (Object.keys(seen.answers).some((name) => name.startsWith('500')))
      expect.soft(cluster.unexpected(), scenario.name).toEqual([]);
    return { ...seen, awayMs: Math.round(awayMs) };
  };

  const judge = (scenario: Scenario, seen: Round) => {
    const strange = Object.keys(seen.answers).filter((name) => name !== '200' && !scenario.mayAnswer.includes(name));
    expect.soft(strange, `${scenario.name}; ${seen.broken.join('; ')}`).toEqual([]);
    expect.soft(seen.gaps.max, scenario.name).toBeLessThan(seen.awayMs + scenario.gapMs * slowness());
    if (scenario.pollsFailedMs !== undefined)
      expect.soft(seen.pollsFailedMs, scenario.name).toBeLessThan(scenario.pollsFailedMs * slowness());
    if (place.uploaders !== undefined) expect.soft(seen.files, scenario.name).toBeGreaterThan(0);
  };

  if (MINUTES === 0)
    it.each(chosen)('keep their promises when $name', async (scenario) => judge(scenario, await run(scenario, 0)));
  else
    it(
      `keep their promises through every fault, for ${MINUTES} minutes`,
      async () => {
        const until = performance.now() + MINUTES * 60_000 * place.share;
        for (let round = 0; round === 0 || performance.now() < until; round++)
          for (const scenario of chosen) {
            const seen = await run(scenario, round);
            table.add(scenario.name, seen);
            process.stdout.write(`${rowOf(scenario.name, [seen])}\n`);
            judge(scenario, seen);
          }
      },
      MINUTES * 120_000 + 240_000,
    );
});
