import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '../support/pause.ts';
import { demoAccount } from '../support/process.ts';
import { databaseFaults, redisFaults, type Scenario } from './scenarios.ts';
import { Cluster } from './support/cluster.ts';
import { Load, type Seen } from './support/load.ts';
import { hasServices } from './support/services.ts';

/** Minutes for which all faults are made again and again; without it a few are made once. */
const MINUTES = Number(process.env['ROOST_TEST_FAULTS_MINUTES'] ?? 0);
const PEOPLE = ['member@roost.test', 'member2@roost.test', 'admin@roost.test', 'moderator@roost.test'];
/** Milliseconds of load before and after a fault. */
const BEFORE_MS = 1000;
const AFTER_MS = 3000;

interface Place {
  readonly name: string;
  readonly withRedis: boolean;
  readonly scenarios: readonly Scenario[];
  readonly senders: number;
  /** With limits on, nobody may send more than a few messages a second. */
  readonly paceMs: number;
  /** Its part of the minutes. */
  readonly share: number;
}

const places: readonly Place[] = [
  { name: 'PostgreSQL', withRedis: false, scenarios: databaseFaults, senders: 4, paceMs: 10, share: 0.75 },
  { name: 'PostgreSQL and Redis', withRedis: true, scenarios: redisFaults, senders: 3, paceMs: 700, share: 0.25 },
];

describe.skipIf(!hasServices()).each(places)('two processes on $name', (place) => {
  const cluster = new Cluster(place);
  const chosen = place.scenarios.filter(({ isShort }) => isShort || MINUTES > 0);
  const table: string[] = [];
  let accounts: Awaited<ReturnType<typeof demoAccount>>[] = [];

  beforeAll(async () => {
    await cluster.make(2);
    const [first] = cluster.nodes;
    if (!first) throw new Error('no process was started');
    accounts = await Promise.all(PEOPLE.map((email) => demoAccount(first, email)));
  });
  afterAll(async () => {
    if (MINUTES > 0) process.stdout.write(`${[HEADER, ...table].join('\n')}\n`);
    await cluster.remove();
  });

  const run = async (scenario: Scenario, round: number): Promise<Seen & { readonly awayMs: number }> => {
    const nodes = () => cluster.nodes.map((node) => node.url);
    const load = new Load(`${scenario.name} ${round}`, nodes, accounts, place.paceMs);
    await load.begin(place.senders, 2);
    await pause(BEFORE_MS);
    expect(load.acknowledged).toBeGreaterThan(0);
    const awayMs = await scenario.act(cluster, load);
    await pause(AFTER_MS);
    await load.end();
    expect(cluster.deaths()).toEqual([]);
    expect(await load.faults()).toEqual([]);
    return { ...load.seen(), awayMs: Math.round(awayMs) };
  };

  const judge = (scenario: Scenario, seen: Seen & { readonly awayMs: number }) => {
    const strange = Object.keys(seen.answers).filter((name) => name !== '200' && !scenario.mayAnswer.includes(name));
    expect(strange).toEqual([]);
    expect(seen.gaps.max).toBeLessThan(seen.awayMs + scenario.gapMs);
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
            table.push(rowOf(scenario, seen));
            process.stdout.write(`${table.at(-1)}\n`);
            judge(scenario, seen);
          }
      },
      MINUTES * 120_000 + 240_000,
    );
});

const HEADER =
  '| fault | acknowledged | away ms | gap p50 / max ms | polls failed ms | answers |\n|---|---|---|---|---|---|';

function rowOf({ name }: Scenario, { acknowledged, awayMs, gaps, pollsFailedMs, answers }: Seen & { awayMs: number }) {
  const all = Object.entries(answers).map(([answer, count]) => `${count} × ${answer}`);
  return `| ${name} | ${acknowledged} | ${awayMs} | ${gaps.p50} / ${gaps.max} | ${pollsFailedMs} | ${all.join(', ')} |`;
}
