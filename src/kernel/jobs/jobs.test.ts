import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bus, localBus } from '#kernel/bus';
import { TestClock } from '#kernel/clock';
import { asId, type RealmId } from '#kernel/ids';
import { openLog } from '#kernel/log';
import { type Metrics, openMetrics } from '#kernel/metrics';
import { DatabaseAway, ofRealm, openStore, type Store } from '#kernel/store';
import { databases, makeDatabase, type TestDatabase } from '../../../test/support/databases.ts';
import { pause } from '../../../test/support/pause.ts';
import { least, processorMs } from '../../../test/support/processor.ts';
import {
  deleteJobsOf,
  cancelJob,
  defineBatchJob,
  defineJob,
  enqueue,
  enqueueAll,
  type JobContext,
  type JobKind,
  JobRunner,
} from './index.ts';
import { claimJobs, isAnyDue, nextDue } from './claims.ts';
import { insertJobs } from './stored.ts';

const REALM = asId<RealmId>(1);
type Context = Record<never, never>;

/** A promise and what ends it. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

describe.each(databases)('jobs on %s', (database) => {
  let clock: TestClock;
  let made: TestDatabase;
  let store: Store;
  let runners: JobRunner<Context>[];
  /** Of the process made last. */
  let metrics: Metrics;
  /** What the processes logged. */
  let logged: string[];
  const warnings = () => logged.map((line): Record<string, unknown> => JSON.parse(line));

  beforeEach(async () => {
    clock = new TestClock();
    made = await makeDatabase(database);
    store = await openStore({ url: made.databaseUrl, file: join(made.dataDir, 'roost.sqlite3'), clock });
    runners = [];
    logged = [];
  });
  afterEach(async () => {
    for (const runner of runners) await runner.stop();
    await store.close();
    await made.remove();
  });

  /** A process that runs these kinds. */
  function processWith(...kinds: JobKind<never, Context>[]): JobRunner<Context> {
    return processOn(localBus, ...kinds);
  }

  function processOn(bus: Bus, ...kinds: JobKind<never, Context>[]): JobRunner<Context> {
    const log = openLog('warn', { write: (line) => logged.push(line) });
    metrics = openMetrics();
    const runner = new JobRunner<Context>({ store, bus, clock, log, metrics, kinds });
    runners.push(runner);
    return runner;
  }
  const stored = <P>(kind: JobKind<P, Context>, payload: P, key?: string) =>
    store.of(REALM).write((tx) => enqueue(tx, kind, payload, key === undefined ? {} : { key }));

  it.runIf(database === 'postgres')('go to the server in one piece with the commit', async () => {
    const together = defineBatchJob<null, Context>('together', async () => {});
    const alone = defineJob<null, Context>('alone', async () => {});
    processWith(together, alone);
    const needing = (kind: JobKind<null, Context>) =>
      store.of(REALM).write(async (tx) => {
        await isAnyDue(tx, ['other']);
        await enqueue(tx, kind, null);
      });
    await needing(alone);
    const [one, many] = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')];
    for (const [index, kind] of [together, alone].entries()) {
      await needing(kind);
      // The other piece is what was asked before.
      expect(one.mock.calls.length + many.mock.calls.length).toBe(2 * (index + 1));
    }
    vi.restoreAllMocks();
  });

  it('that wait for others run beside each other, and keep no quick one waiting', async () => {
    const [first, second] = [gate(), gate()];
    const done: string[] = [];
    const waiting = defineJob<{ name: string }, Context>(
      'waiting',
      async ({ name }) => {
        await (name === 'first' ? first : second).passed;
        done.push(name);
      },
      'slow',
    );
    const quick = defineJob<{ name: string }, Context>('quick', async ({ name }) => {
      done.push(name);
      second.open();
    });
    const runner = processWith(waiting, quick);
    runner.start({});
    await stored(waiting, { name: 'first' });
    await stored(waiting, { name: 'second' });
    await stored(quick, { name: 'quick' });
    await second.passed;
    while (done.length < 2) await new Promise(setImmediate);
    first.open();
    await runner.idle();
    expect(done).toEqual(['quick', 'second', 'first']);
    expect(await runner.counts()).toMatchObject({ waiting: 0, given_up: 0 });
  });

  it.each([
    ['slow', [4, 2, 0]],
    ['previews', [8, 4, 0]],
    ['webhooks', [16, 8, 0]],
  ] as const)('of an organization that hang in %s leave workers to others', async (lane, held) => {
    const hung = gate();
    const done: string[] = [];
    const underWay = new Map<RealmId, number>();
    const asking = defineJob<string, Context>(
      'asking',
      async (name, { realmId }) => {
        underWay.set(realmId, (underWay.get(realmId) ?? 0) + 1);
        if (name === 'hangs') await hung.passed;
        done.push(name);
        underWay.set(realmId, (underWay.get(realmId) ?? 0) - 1);
      },
      lane,
    );
    const runner = processWith(asking);
    const ask = (realm: number, name: string, count = 1) =>
      store.of(asId<RealmId>(realm)).write((tx) =>
        enqueueAll(
          tx,
          asking,
          Array.from({ length: count }, () => name),
        ),
      );
    const settled = async () => {
      for (let turns = 0; turns < 300; turns++) await new Promise(setImmediate);
    };
    runner.start({});
    try {
      await ask(1, 'hangs', 40);
      await ask(2, 'hangs', 40);
      await expect.poll(() => underWay.get(asId<RealmId>(2))).toBeGreaterThan(0);
      await settled();
      await ask(3, 'answers', 3);
      await expect.poll(() => done).toEqual(['answers', 'answers', 'answers']);
      // The first takes half of the workers, and the second half of what is left.
      expect([...underWay.values()]).toEqual(held);
    } finally {
      hung.open();
    }
    await runner.idle();
    expect(done).toHaveLength(83);
    expect(await runner.counts()).toMatchObject({ waiting: 0 });
  });

  it.each([
    ['slow', [2, 1, 0]],
    ['previews', [4, 2, 0]],
    ['webhooks', [8, 4, 0]],
  ] as const)('of a party that hang in %s leave workers to others of its organization', async (lane, held) => {
    const hung = gate();
    const underWay = new Map<string, number>();
    const started = vi.fn<(party: string) => void>();
    const asking = defineJob<string, Context>(
      'asking',
      async (party) => {
        started(party);
        underWay.set(party, (underWay.get(party) ?? 0) + 1);
        if (party.startsWith('hangs')) await hung.passed;
        underWay.set(party, (underWay.get(party) ?? 0) - 1);
      },
      lane,
      { partyOf: (party) => (party === 'nobody' ? undefined : party) },
    );
    const runner = processWith(asking);
    const ask = (party: string, count: number) =>
      store.of(REALM).write((tx) =>
        enqueueAll(
          tx,
          asking,
          Array.from({ length: count }, () => party),
        ),
      );
    runner.start({});
    try {
      await ask('hangs', 5_000);
      await expect.poll(() => underWay.get('hangs')).toBe(held[0]);
      await ask('hangs, too', 5_000);
      await expect.poll(() => underWay.get('hangs, too')).toBe(held[1]);
      await ask('answers', 3);
      await ask('nobody', 3);
      await stored(asking, 'answers', 'with a key');
      await expect.poll(() => started.mock.calls.filter(([party]) => !party.startsWith('hangs'))).toHaveLength(7);
      expect([underWay.get('hangs'), underWay.get('hangs, too'), underWay.get('answers')]).toEqual(held);
      await store.of(REALM).write((tx) => deleteJobsOf(tx));
    } finally {
      hung.open();
    }
    await runner.idle();
  });

  it.each(['pictures', 'exports'] as const)('that take long in %s delay no mails', async (lane) => {
    const hung = gate();
    const done: string[] = [];
    const long = defineJob<null, Context>('long', () => hung.passed, lane);
    const mail = defineJob<string, Context>('mail', async (name) => void done.push(name), 'slow');
    const runner = processWith(long, mail);
    for (let realm = 1; realm <= 10; realm++)
      await store.of(asId<RealmId>(realm)).write((tx) => enqueueAll(tx, long, [null, null]));
    runner.start({});
    try {
      await stored(mail, 'a new password');
      await expect.poll(() => done).toEqual(['a new password']);
    } finally {
      hung.open();
    }
    await runner.idle();
    expect(await runner.counts()).toMatchObject({ waiting: 0 });
  });

  it('are run by one of two processes', async () => {
    let runs = 0;
    const counted = defineJob<null, Context>(
      'counted',
      async () => {
        runs += 1;
      },
      'slow',
    );
    const [one, other] = [processWith(counted), processWith(counted)];
    for (let i = 0; i < 30; i++) await stored(counted, null);
    one.start({});
    other.start({});
    await Promise.all([one.idle(), other.idle()]);
    expect(runs).toBe(30);
  });

  it('that another process has taken over undo what the first was about to do', async () => {
    const [stalled, begun] = [gate(), gate()];
    const outcomes: string[] = [];
    const run = async (_payload: null, { attempts, finish }: JobContext<Context>) => {
      if (attempts === 0) {
        begun.open();
        await stalled.passed;
      }
      await store
        .write((tx) => finish(tx))
        .then(
          () => outcomes.push(`try ${attempts + 1} counts`),
          (error: unknown) => {
            outcomes.push(`try ${attempts + 1} is undone`);
            throw error;
          },
        );
    };
    const kind = defineJob<null, Context>('taken-over', run);
    const [one, other] = [processWith(kind), processWith(kind)];
    await stored(kind, null);
    one.start({});
    await begun.passed;
    clock.advance(121_000);
    other.start({});
    await other.idle();
    stalled.open();
    await one.idle();
    expect(outcomes).toEqual(['try 2 counts', 'try 1 is undone']);
    expect(await one.counts()).toMatchObject({ waiting: 0, given_up: 0 });
  });

  it('taken back or stored anew while they run undo what they were about to do, and run anew at once', async () => {
    const seen: string[] = [];
    let meanwhile = async () => {};
    const kind: JobKind<{ text: string }, Context> = defineJob('renewed', async ({ text }, { finish }) => {
      await meanwhile();
      await store.write(async (tx) => {
        await finish(tx);
        seen.push(text);
      });
    });
    const runner = processWith(kind);
    await stored(kind, { text: 'old' }, 'one');
    meanwhile = async () => {
      meanwhile = async () => {};
      await stored(kind, { text: 'new' }, 'one');
    };
    runner.start({});
    await runner.idle();
    expect(seen).toEqual(['new']);
    await stored(kind, { text: 'never' }, 'one');
    meanwhile = async () => {
      await store.of(REALM).write((tx) => cancelJob(tx, kind, 'one'));
    };
    await runner.idle();
    expect(seen).toEqual(['new']);
  });

  /** A kind that notes which payloads ran together, and what became of them. */
  function noting(fails: (payload: string, attempts: number) => boolean = () => false) {
    const runs: string[] = [];
    const done: string[] = [];
    const kind = defineBatchJob<string, Context>('noting', async (payloads, { attempts, finish }) => {
      runs.push(payloads.join(' '));
      await store.write(async (tx) => {
        await finish(tx);
        if (payloads.some((payload) => fails(payload, attempts))) throw new Error('as asked');
        tx.afterCommit(() => done.push(...payloads));
      });
    });
    return { kind, runs, done };
  }

  it('of a batch wait a moment for each other and run as one, each organization by itself', async () => {
    const { kind, runs, done } = noting();
    const runner = processWith(kind);
    runner.start({});
    await runner.idle();
    await stored(kind, 'a');
    await store.write((tx) => enqueue(ofRealm(tx, asId<RealmId>(2)), kind, 'x'));
    await stored(kind, 'b');
    expect(runs).toEqual([]);
    clock.advance(49);
    expect(await runner.counts()).toMatchObject({ due: 3 });
    clock.advance(1);
    await runner.idle();
    expect(runs).toEqual(['a b', 'x']);
    await stored(kind, 'c');
    await runner.idle();
    expect(done).toEqual(['a', 'b', 'x', 'c']);
    expect(await runner.counts()).toMatchObject({ waiting: 0 });
  });

  it('of a batch that fails are each run alone, and one that failed before stays alone', async () => {
    const { kind, runs, done } = noting((payload, attempts) => payload === 'bad' && attempts < 2);
    const runner = processWith(kind);
    for (const payload of ['a', 'bad', 'b']) await stored(kind, payload);
    runner.start({});
    await runner.idle();
    expect(runs).toEqual(['a bad b', 'a', 'bad', 'b']);
    expect(done).toEqual(['a', 'b']);
    const err = { message: 'as asked' };
    expect(warnings()).toMatchObject([
      { job: 'noting', jobs: 3, err, msg: 'a batch of jobs failed and each will be run alone' },
      { job: 'noting', attempts: 1, err },
    ]);
    for (const payload of ['c', 'd']) {
      await stored(kind, payload);
      clock.advance(5000);
      await runner.idle();
    }
    expect(runs.slice(4)).toEqual(['c', 'bad', 'd', 'bad']);
    expect(done).toEqual(['a', 'b', 'c', 'd', 'bad']);
    expect(await runner.counts()).toMatchObject({ waiting: 0, given_up: 0 });
  });

  it('of one commit that run as one share a row, and each gets its own when they fail', async () => {
    const { kind, runs, done } = noting((payload, attempts) => payload === 'bad' && attempts < 2);
    const runner = processWith(kind);
    await store.of(REALM).write(async (tx) => {
      for (const payload of ['a', 'bad', 'b']) await enqueue(tx, kind, payload);
    });
    expect(await runner.counts()).toMatchObject({ waiting: 1 });
    await stored(kind, 'c');
    runner.start({});
    await runner.idle();
    expect(runs).toEqual(['a bad b c', 'a bad b', 'c', 'a', 'bad', 'b']);
    expect(done).toEqual(['c', 'a', 'b']);
    clock.advance(5000);
    await runner.idle();
    expect(done).toEqual(['c', 'a', 'b', 'bad']);
    expect(await runner.counts()).toMatchObject({ waiting: 0, given_up: 0 });
  });

  it('of a row that holds several begin anew where their server stops', async () => {
    const payloads: string[] = [];
    const kind = defineBatchJob<string, Context>('ending', async (names, { keep }) => {
      const stopping = payloads.length === 0 ? runner.stop() : undefined;
      payloads.push(...names);
      await keep();
      await stopping;
    });
    const runner = processWith(kind);
    await store.of(REALM).write(async (tx) => {
      for (const payload of ['a', 'b']) await enqueue(tx, kind, payload);
    });
    runner.start({});
    await expect.poll(() => payloads).toEqual(['a', 'b']);
    await runner.stop();
    const next = processWith(kind);
    next.start({});
    await next.idle();
    expect(payloads).toEqual(['a', 'b', 'a', 'b']);
    expect(warnings()).toEqual([]);
  });

  it('of a batch from which one was taken away leave that one alone and finish the others', async () => {
    const done: string[] = [];
    let meanwhile = async () => {};
    const kind = defineBatchJob<string, Context>('losing', async (payloads, { finish }) => {
      await meanwhile();
      await store.write(async (tx) => {
        await finish(tx);
        tx.afterCommit(() => done.push(...payloads));
      });
    });
    const runner = processWith(kind);
    for (const payload of ['a', 'gone', 'b']) await stored(kind, payload, payload);
    meanwhile = async () => {
      meanwhile = async () => {};
      await store.of(REALM).write((tx) => cancelJob(tx, kind, 'gone'));
    };
    runner.start({});
    await runner.idle();
    expect(done).toEqual(['a', 'b']);
    expect(warnings()).toEqual([]);
    const runs = await metrics.text();
    expect(runs).toMatch(/^roost_job_seconds_count\{kind="losing",outcome="lost"\} 1$/m);
    expect(runs).toMatch(/^roost_job_seconds_count\{kind="losing",outcome="done"\} 2$/m);
    expect(await runner.counts()).toMatchObject({ waiting: 0, given_up: 0 });
  });

  it('are measured: how many wait and since when, how many were given up, how long they ran', async () => {
    const kind = defineJob<'fail' | 'succeed', Context>('measured', async (payload) => {
      if (payload === 'fail') throw new Error('as asked');
    });
    const runner = processWith(kind);
    const numbers = async () => {
      const values = [...(await metrics.text()).matchAll(/^roost_jobs_(\w+) (\d+)$/gm)];
      return Object.fromEntries(values.map(([, name, value]) => [name, Number(value)]));
    };
    expect(await numbers()).toEqual({ waiting: 0, due: 0, given_up: 0, oldest_due_seconds: 0 });
    await stored(kind, 'fail');
    clock.advance(30_000);
    await stored(kind, 'succeed');
    await store.of(REALM).write((tx) => enqueue(tx, kind, 'succeed', { runAt: clock.now() + 86_400 }));
    expect(await numbers()).toEqual({ waiting: 3, due: 2, given_up: 0, oldest_due_seconds: 30 });
    runner.start({});
    for (let tries = 0; tries < 12; tries++) {
      await runner.idle();
      clock.advance(3_600_000);
      runner.wake();
    }
    await runner.idle();
    expect(await numbers()).toEqual({ waiting: 1, due: 0, given_up: 1, oldest_due_seconds: 0 });
    const runs = await metrics.text();
    expect(runs).toMatch(/^roost_job_seconds_count\{kind="measured",outcome="done"\} 1$/m);
    expect(runs).toMatch(/^roost_job_seconds_count\{kind="measured",outcome="failed"\} 12$/m);
  });

  it('that cannot be claimed or finished are left alone for a while, and given back when the database takes them', async () => {
    let isFull = false;
    let writes = 0;
    const full = new DatabaseAway('refused', new Error('disk full'));
    const failing: Store = {
      ...store,
      dialect: store.dialect,
      query: (work) => store.query(work),
      connectJobs: (wake) => store.connectJobs(wake),
      write: (work, line) => {
        writes++;
        return isFull ? Promise.reject(full) : store.write(work, line);
      },
    };
    const done: number[] = [];
    const kind = defineJob<number, Context>('counted', async (number) => {
      // The disk is full from the second on, until somebody makes space.
      isFull ||= number === 1 && done.length === 1 && writes < 100;
      if (isFull) throw full;
      done.push(number);
    });
    const log = openLog('warn', { write: (line) => logged.push(line) });
    const runner = new JobRunner<Context>({
      store: failing,
      bus: localBus,
      clock,
      log,
      metrics: openMetrics(),
      kinds: [kind],
    });
    runners.push(runner);
    for (const number of [0, 1, 2]) await stored(kind, number);
    runner.start({});
    await runner.idle();
    writes = 0;
    for (let second = 0; second < 60; second++) {
      clock.advance(1000);
      await runner.idle();
    }
    expect(writes).toBeLessThan(30);
    expect(warnings()).toHaveLength(1);
    writes = 100;
    isFull = false;
    clock.advance(5000);
    await runner.idle();
    expect(done).toEqual([0, 1, 2]);
  });

  it('are taken by one process for all that wait for further ones, and by the others soon after', async () => {
    const ears: ((text: string) => void)[] = [];
    const bus: Bus = {
      ...localBus,
      isShared: true,
      publish: (_topic, text) => {
        for (const hear of ears) hear(text);
      },
      subscribe: async (_topic, hear) => {
        ears.push(hear);
      },
    };
    const batches: string[][] = [];
    const kind = defineBatchJob<string, Context>('gathered', async (names) => {
      batches.push([...names]);
    });
    const connect = vi.spyOn(store, 'connectJobs');
    const [first, second] = [processOn(bus, kind), processOn(bus, kind)];
    const [toFirst, toSecond] = connect.mock.calls.map(
      ([wake]) =>
        () =>
          store.connectJobs(wake),
    );
    for (const runner of [first, second]) {
      await runner.listen();
      runner.start({});
      await runner.idle();
    }
    toFirst?.();
    await stored(kind, 'one');
    clock.advance(30);
    toSecond?.();
    await stored(kind, 'two');
    clock.advance(20);
    await expect.poll(() => batches).toEqual([['one', 'two']]);
    await stored(kind, 'three');
    // The second process would have looked at 80 ms; it does so 50 after the first has.
    clock.advance(49);
    await pause(50);
    expect(batches).toHaveLength(1);
    clock.advance(1);
    await expect.poll(() => batches).toEqual([['one', 'two'], ['three']]);
  });

  it('are kept by a handler that takes longer than a lease, and by no other process meanwhile', async () => {
    const [begun, waited] = [gate(), gate()];
    let runs = 0;
    const long = defineJob<null, Context>('long', async (_payload, { keep, finish }) => {
      runs++;
      begun.open();
      for (let minute = 0; minute < 5; minute++) {
        clock.advance(60_000);
        await keep();
      }
      await waited.passed;
      await store.write((tx) => finish(tx));
    });
    const first = processWith(long);
    first.start({});
    await stored(long, null);
    await begun.passed;
    const second = processWith(long);
    second.start({});
    await second.idle();
    waited.open();
    await first.idle();
    expect(runs).toBe(1);
    expect(await first.counts()).toMatchObject({ waiting: 0, given_up: 0 });
  });

  it('that another process has taken over are kept no longer', async () => {
    const faults: unknown[] = [];
    const long = defineJob<null, Context>('long', async (_payload, { keep }) => {
      clock.advance(121_000);
      await store.write((tx) => tx.db.updateTable('job').set({ attempts: 7 }).execute());
      await keep().catch((error: unknown) => {
        faults.push(error);
        throw error;
      });
    });
    const runner = processWith(long);
    runner.start({});
    await stored(long, null);
    while (faults.length === 0) await new Promise(setImmediate);
    await runner.stop();
    expect(String(faults[0])).toContain("somebody else's");
    expect(await runner.counts()).toMatchObject({ waiting: 1 });
  });

  it('are given back untried where the server stops, and begin anew at once elsewhere', async () => {
    const [begun, go] = [gate(), gate()];
    const attempts: number[] = [];
    let isCutOff = true;
    const long = defineJob<null, Context>('long', async (_payload, job) => {
      attempts.push(job.attempts);
      begun.open();
      if (!isCutOff) return;
      await go.passed;
      await job.keep();
    });
    const first = processWith(long);
    first.start({});
    await stored(long, null);
    await begun.passed;
    const stopping = first.stop();
    go.open();
    await stopping;
    isCutOff = false;
    const second = processWith(long);
    second.start({});
    await second.idle();
    expect(attempts).toEqual([0, 0]);
    expect(await second.counts()).toMatchObject({ waiting: 0 });
    expect(warnings()).toEqual([]);
  });

  it.each([3_600_000, -3_600_000])('stay due and claimed when the clock is set by %i ms', async (stepMs) => {
    const [running, waiting] = [gate(), gate()];
    const done: string[] = [];
    const kind = defineJob<string, Context>(
      'set',
      async (name) => {
        done.push(name);
        running.open();
        if (name === 'slow') await waiting.passed;
      },
      'slow',
    );
    const runner = processWith(kind);
    runner.start({});
    await stored(kind, 'slow');
    await running.passed;
    // By another process, which wakes only its own workers.
    processWith();
    await stored(kind, 'stored before');
    clock.step(stepMs);
    runner.wake();
    await expect.poll(() => done).toHaveLength(2);
    runner.wake();
    waiting.open();
    await runner.idle();
    expect(done).toEqual(['slow', 'stored before']);
  });

  it('stay claimed when the clock is set between a look for due jobs and the claim of them', async () => {
    const [running, waiting] = [gate(), gate()];
    const done: string[] = [];
    const kind = defineJob<string, Context>(
      'set',
      async (name) => {
        done.push(name);
        running.open();
        if (name === 'slow') await waiting.passed;
      },
      'slow',
    );
    processWith(kind).start({});
    await stored(kind, 'slow');
    await running.passed;
    // Only the newest process is woken, and it has not started. The claimed job is the older one.
    const other = processWith(kind);
    clock.advance(1000);
    await stored(kind, 'due');
    const query = store.query.bind(store);
    vi.spyOn(store, 'query').mockImplementationOnce(async (work) => {
      const found = await query(work);
      clock.step(3_600_000);
      return found;
    });
    other.start({});
    await expect.poll(() => done).toContain('due');
    waiting.open();
    await other.idle();
    expect(done).toEqual(['slow', 'due']);
  });

  it.runIf(database === 'sqlite')('are looked for without those of other kinds, however many wait', async () => {
    const job = { realm_id: REALM, kind: 'other', payload: '{}', run_at: clock.now() };
    await store.of(REALM).write((tx) =>
      insertJobs(
        tx,
        Array.from({ length: 60_000 }, () => job),
      ),
    );
    const look = () => store.query(async (tx) => [await isAnyDue(tx, ['mine']), await nextDue(tx, ['mine'])] as const);
    expect(await look()).toEqual([false, undefined]);
    // It was 10 ms, for each of the lanes and whenever something was done in one.
    expect(await least(2, () => processorMs(look))).toBeLessThan(2);
  });

  it('are claimed without a look at those of other kinds, nor at more of their own than are claimed', async () => {
    const many = database === 'sqlite' ? 60_000 : 20_000;
    const storeMany = (kind: string) =>
      store.of(REALM).write((tx) =>
        insertJobs(
          tx,
          Array.from({ length: many }, () => ({ realm_id: REALM, kind, payload: '{}', run_at: clock.now() - 100 })),
        ),
      );
    const elapsedMs = async (work: () => Promise<unknown>) => {
      const began = performance.now();
      await work();
      return performance.now() - began;
    };
    // The embedded database works in this process, and writes to a disk that others use, too.
    const measure = database === 'sqlite' ? processorMs : elapsedMs;
    /** Milliseconds of a claim, the least of several: more while it takes longer than `bar`, up to 100. */
    const cost = async (bar = 0) => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < (bar > 0 ? 100 : 9) && least >= bar; round++) {
        const claim = () => store.write((tx) => claimJobs(tx, ['mine', 'ours'], { limit: 1, seconds: 0 }));
        least = Math.min(least, await measure(async () => expect(await claim()).toHaveLength(1)));
      }
      return least;
    };
    await store
      .of(REALM)
      .write((tx) => insertJobs(tx, [{ realm_id: REALM, kind: 'mine', payload: '{}', run_at: clock.now() }]));
    const bar = 2 * (await cost()) + 0.7;
    for (const kind of ['other', 'ours']) {
      await storeMany(kind);
      expect(await cost(bar)).toBeLessThan(bar);
    }
  });
});
