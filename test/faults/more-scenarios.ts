import { pathToFileURL } from 'node:url';
import { pause } from '../support/pause.ts';
import type { Cluster } from './support/cluster.ts';
import { AWAY, NONE, type Scenario, timed } from './scenarios.ts';

/** Loaded by a process before everything else: its time of day is another one. */
const OTHER_TIME = pathToFileURL(new URL('./support/other-time.mjs', import.meta.url).pathname).href;

/** The database moves, or processes do not agree on the time. */
export const movingFaults: readonly Scenario[] = [
  {
    name: 'PostgreSQL dies and its standby at another address takes over',
    isShort: false,
    gapMs: 2000,
    mayAnswer: [AWAY],
    act: async ({ postgres, toDatabase }) => {
      await postgres.follow();
      return timed(async () => {
        await postgres.failOver();
        toDatabase.target = postgres.port;
        toDatabase.cut();
      });
    },
  },
  {
    name: 'the clocks of the processes are an hour apart, in both directions',
    isShort: false,
    gapMs: 5000,
    mayAnswer: [AWAY, NONE],
    act: async (cluster) => {
      for (const ms of [3_600_000, -3_600_000, 0]) {
        await atOtherTime(cluster, ms);
        await pause(4000);
      }
      return 0;
    },
  },
];

/** Faults of the object store, and of processes, while files arrive whole and in pieces at any process. */
export const filesFaults: readonly Scenario[] = [
  {
    name: 'each process is killed while files arrive',
    isShort: true,
    gapMs: 2000,
    mayAnswer: [AWAY, NONE],
    act: async (cluster) => {
      for (const index of cluster.nodes.keys()) await cluster.replace(index, 'SIGKILL');
      return 0;
    },
  },
  {
    name: 'processes are replaced one after another while files arrive',
    isShort: false,
    gapMs: 2000,
    pollsFailedMs: 1000,
    mayAnswer: [AWAY, NONE],
    act: async (cluster) => {
      for (const index of cluster.nodes.keys()) await cluster.replace(index, 'SIGTERM');
      return 0;
    },
  },
  {
    name: 'the object store refuses connections for five seconds',
    isShort: false,
    gapMs: 3000,
    mayAnswer: [],
    act: (cluster) => withFiles(cluster, 'refuse'),
  },
  {
    name: 'all packets to the object store are dropped for five seconds',
    isShort: false,
    gapMs: 3000,
    mayAnswer: [],
    act: (cluster) => withFiles(cluster, 'drop'),
  },
  {
    name: 'connections to the object store are cut ten times in two seconds',
    isShort: false,
    gapMs: 3000,
    mayAnswer: [],
    act: async ({ toFiles }) => {
      for (let i = 0; i < 10; i++) {
        toFiles.cut();
        await pause(200);
      }
      return 0;
    },
  },
  {
    name: 'the way to the object store takes 300 ms each way for five seconds',
    isShort: false,
    gapMs: 3000,
    mayAnswer: [],
    act: (cluster) => withFiles(cluster, 'pass', 300),
  },
];

async function withFiles({ toFiles }: Cluster, mode: 'pass' | 'drop' | 'refuse', delayMs = 0): Promise<number> {
  toFiles.set(mode, delayMs);
  await pause(5000);
  toFiles.set('pass');
  // What was dropped does not come again on the same connection: it is given up in its own time.
  if (mode === 'drop') toFiles.cut();
  return 0;
}

/** Begins the last process anew with a clock that differs by so many milliseconds. */
async function atOtherTime(cluster: Cluster, ms: number): Promise<void> {
  const last = cluster.nodes.length - 1;
  cluster.told.set(
    last,
    ms === 0 ? {} : { NODE_OPTIONS: `--import=${OTHER_TIME}`, ROOST_TEST_OTHER_TIME_MS: String(ms) },
  );
  await cluster.replace(last, 'SIGTERM');
}
