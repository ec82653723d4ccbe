import { pause } from '../support/pause.ts';
import type { Cluster } from './support/cluster.ts';
import type { Load } from './support/load.ts';

/** A fault, and what clients may see of it. */
export interface Scenario {
  readonly name: string;
  /** Whether it is part of the short form. */
  readonly isShort: boolean;
  /** Longest that nobody's send is acknowledged, in milliseconds, beyond the time for which the service itself was away. */
  readonly gapMs: number;
  /** Answers besides successes that are honest here; status 0 is none at all. */
  readonly mayAnswer: readonly string[];
  /** Longest that a follower's polls may fail, in milliseconds, where there is such a promise. */
  readonly pollsFailedMs?: number;
  /** Makes the fault and ends it; resolves to the milliseconds for which a service was away. */
  readonly act: (cluster: Cluster, load: Load) => Promise<number>;
}

export const AWAY = '503 SERVER_NOT_READY';
export const NONE = 'no answer';

export async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** Faults of what processes on PostgreSQL alone need. */
export const databaseFaults: readonly Scenario[] = [
  {
    name: 'every connection to PostgreSQL is terminated, three times',
    isShort: true,
    gapMs: 2000,
    mayAnswer: [AWAY],
    act: async ({ postgres }) => {
      for (let i = 0; i < 3; i++) {
        await postgres.terminateAll();
        await pause(300);
      }
      return 0;
    },
  },
  {
    name: 'PostgreSQL restarts in order',
    isShort: false,
    gapMs: 2000,
    mayAnswer: [AWAY],
    act: ({ postgres }) =>
      timed(async () => {
        await postgres.stop('SIGINT');
        await postgres.start();
      }),
  },
  {
    name: 'PostgreSQL crashes and recovers',
    isShort: true,
    gapMs: 2000,
    mayAnswer: [AWAY],
    act: ({ postgres }) =>
      timed(async () => {
        await postgres.stop('SIGQUIT');
        await postgres.start();
      }),
  },
  {
    name: 'PostgreSQL is away for four seconds',
    isShort: false,
    gapMs: 2000,
    mayAnswer: [AWAY],
    act: ({ postgres }) =>
      timed(async () => {
        await postgres.stop('SIGINT');
        await pause(4000);
        await postgres.start();
      }),
  },
  {
    name: 'all packets to PostgreSQL are dropped for eight seconds',
    isShort: false,
    gapMs: 2500,
    mayAnswer: [AWAY],
    act: ({ toDatabase }) =>
      timed(async () => {
        toDatabase.set('drop');
        await pause(8000);
        toDatabase.set('pass');
      }),
  },
  {
    name: 'connections to PostgreSQL are cut ten times in two seconds',
    isShort: false,
    gapMs: 2000,
    mayAnswer: [AWAY],
    act: async ({ toDatabase }) => {
      for (let i = 0; i < 10; i++) {
        toDatabase.cut();
        await pause(200);
      }
      return 0;
    },
  },
  {
    name: 'the connections for wake-ups are terminated, ten times in five seconds',
    isShort: false,
    gapMs: 1500,
    pollsFailedMs: 1000,
    mayAnswer: [],
    act: async ({ postgres }) => {
      for (let i = 0; i < 10; i++) {
        await postgres.terminateListeners();
        await pause(500);
      }
      return 0;
    },
  },
  {
    name: 'PostgreSQL takes no writes for four seconds, on any connection',
    isShort: false,
    gapMs: 2000,
    mayAnswer: [AWAY],
    act: ({ postgres }) =>
      timed(async () => {
        await postgres.setReadOnly(true);
        await pause(4000);
        await postgres.setReadOnly(false);
      }),
  },
  {
    name: 'the way to PostgreSQL takes 100 ms each way for three seconds',
    isShort: false,
    gapMs: 3000,
    mayAnswer: [AWAY],
    act: async ({ toDatabase }) => {
      toDatabase.set('pass', 100);
      await pause(3000);
      toDatabase.set('pass');
      return 0;
    },
  },
  {
    name: 'a process is stopped for eight seconds, five times',
    isShort: false,
    gapMs: 5000,
    mayAnswer: [AWAY, NONE],
    act: async (cluster) => {
      for (let i = 0; i < 5; i++) await freeze(cluster, 8000);
      return 0;
    },
  },
  {
    name: 'a process is stopped for six seconds',
    isShort: true,
    gapMs: 5000,
    mayAnswer: [AWAY, NONE],
    act: async (cluster) => {
      await freeze(cluster, 6000);
      return 0;
    },
  },
  {
    name: 'a process is killed and comes back',
    isShort: false,
    gapMs: 2000,
    mayAnswer: [AWAY, NONE],
    act: async (cluster) => {
      await cluster.replace(1, 'SIGKILL');
      return 0;
    },
  },
  {
    name: 'processes are replaced one after another',
    isShort: false,
    gapMs: 1000,
    pollsFailedMs: 1000,
    mayAnswer: [AWAY, NONE],
    act: async (cluster) => {
      for (const index of cluster.nodes.keys()) await cluster.replace(index, 'SIGTERM');
      return 0;
    },
  },
];

/** Faults of Redis, with limits on. */
export const redisFaults: readonly Scenario[] = [
  {
    name: 'Redis hangs for five seconds',
    isShort: true,
    gapMs: 1500,
    mayAnswer: [],
    act: async ({ redis }) => {
      redis.signal('SIGSTOP');
      await pause(5000);
      redis.signal('SIGCONT');
      return 0;
    },
  },
  {
    name: 'Redis is away for five seconds',
    isShort: false,
    gapMs: 1500,
    mayAnswer: [],
    act: async ({ redis }) => {
      await redis.stop();
      await pause(5000);
      await redis.start();
      return 0;
    },
  },
  {
    name: 'Redis is full for five seconds',
    isShort: false,
    gapMs: 1500,
    mayAnswer: [],
    act: async ({ redis }) => {
      await redis.setMemory(1);
      await pause(5000);
      await redis.setMemory(0);
      return 0;
    },
  },
  {
    name: 'what Redis answers cannot be read for five seconds',
    isShort: false,
    gapMs: 1500,
    mayAnswer: [],
    act: async ({ toRedis }) => {
      toRedis.set('garble');
      await pause(5000);
      toRedis.set('pass');
      return 0;
    },
  },
  {
    name: 'all packets to Redis are dropped for five seconds',
    isShort: false,
    gapMs: 1500,
    mayAnswer: [],
    act: async ({ toRedis }) => {
      toRedis.set('drop');
      await pause(5000);
      toRedis.set('pass');
      return 0;
    },
  },
];

/** Stops the first process where it stands; clients go on with the others. */
async function freeze(cluster: Cluster, ms: number): Promise<void> {
  const [node] = cluster.nodes;
  node?.freeze();
  await pause(ms);
  node?.thaw();
  await pause(500);
}
