import { type Kind, RATES, SUBSCRIBERS } from './mix.ts';
import { quantile } from './statistics.ts';

/** Share of people who have a client open in the day's busiest hour. */
const ACTIVE = 0.4;
/** Share of all requests that are polls; see `RATES`. */
const POLLS = 0.44;
/** Planned utilization of a core, which leaves room for bursts. */
const PLANNED = 0.5;
/** Cores of the largest PostgreSQL server in the plan. */
const LARGEST_DATABASE = 32;
/** Share of the day's requests in its busiest hour, and working days per year. */
const BUSIEST_HOUR = 0.12;
const WORKING_DAYS = 260;

type Asked = Kind | 'poll';

/**
 * Milliseconds of processor time of a request, in a process and in PostgreSQL: twice the figures of docs/performance.md
 * for few at once, because machines differ and queries grow.
 */
const COST: Readonly<Record<Asked, { readonly process: number; readonly database: number }>> = {
  poll: { process: 0.5, database: 0.1 },
  ping: { process: 1, database: 0.1 },
  other: { process: 0.8, database: 0.1 },
  file: { process: 1.2, database: 0.3 },
  messages: { process: 6, database: 3 },
  flags: { process: 2, database: 1.5 },
  send: { process: 2.5, database: 2 },
  register: { process: 12, database: 8 },
};
/** Milliseconds for which a write batch locks an organization's log, and for each further write in it. */
const LOCKED_MS = { batch: 1.5, write: 0.15 };
/** Most writes of a batch. */
const BATCH = 64;
/**
 * MiB of an idle process, of each client that waits in it, and of each account whose facts it caches, up to
 * `KEPT_ACCOUNTS`.
 */
const MEMORY_MIB = { process: 200, client: 0.03, account: 0.004 };
const KEPT_ACCOUNTS = 20_000;
/** KiB of a message with its indexes, words, and events while they are kept. */
const MESSAGE_KIB = 3;

/** Numbers of people and organizations. */
export interface Size {
  readonly people: number;
  readonly organizations: number;
}

/** The load of the busiest hour; rates are per second. */
interface Demand extends Size {
  readonly clients: number;
  readonly rates: readonly (readonly [Asked, number])[];
  readonly requests: number;
  readonly sends: number;
}

/** Computes the load of so many people. */
export function demandOf(size: Size): Demand {
  const clients = size.people * ACTIVE;
  const own = RATES.map(([kind, rate]) => [kind, rate * clients] as const);
  const others = own.reduce((sum, [, rate]) => sum + rate, 0);
  const rates: (readonly [Asked, number])[] = [...own, ['poll', (others * POLLS) / (1 - POLLS)]];
  const sends = own.find(([kind]) => kind === 'send')?.[1] ?? 0;
  return { ...size, clients, rates, requests: others / (1 - POLLS), sends };
}

/** The resources that a load needs. */
interface Need {
  readonly processes: number;
  readonly databaseCores: number;
  readonly databases: number;
  readonly memoryGib: number;
  readonly gibPerYear: number;
  readonly writesPerSecond: number;
}

/** Computes the resources for a load, by the figures above. */
export function figures({ rates, clients, people, sends }: Demand): Need {
  const busy = (part: 'process' | 'database') =>
    rates.reduce((sum, [kind, rate]) => sum + (rate * COST[kind][part]) / 1000, 0);
  const delivered = (sends * SUBSCRIBERS * COST.poll.process) / 1000;
  // At least two, so that one can be replaced while the other serves.
  const processes = Math.max(2, Math.ceil((busy('process') + delivered) / PLANNED));
  const databaseCores = Math.max(1, Math.ceil(busy('database') / PLANNED));
  const messages = ((sends * 3600) / BUSIEST_HOUR) * WORKING_DAYS;
  const written = rates.filter(([kind]) => kind === 'send' || kind === 'flags' || kind === 'register');
  return {
    processes,
    databaseCores,
    databases: Math.ceil(databaseCores / LARGEST_DATABASE),
    memoryGib:
      (processes * (MEMORY_MIB.process + Math.min(people, KEPT_ACCOUNTS) * MEMORY_MIB.account) +
        clients * MEMORY_MIB.client) /
      1024,
    gibPerYear: (messages * MESSAGE_KIB) / 2 ** 20,
    writesPerSecond: written.reduce((sum, [, rate]) => sum + rate, processes / 2),
  };
}

interface Played {
  readonly busy: { readonly process: number; readonly database: number };
  readonly waitMs: { readonly median: number; readonly p99: number };
  /** Share of the time for which the log of the largest organization is locked. */
  readonly lockBusy: number;
}

/** A queue of simulated events, ordered by time. */
class Agenda {
  readonly #heap: { readonly at: number; readonly then: (at: number) => void }[] = [];

  add(at: number, then: (at: number) => void): void {
    const heap = this.#heap;
    let index = heap.push({ at, then }) - 1;
    for (let above = (index - 1) >> 1; index > 0 && at < (heap[above]?.at ?? 0); above = (index - 1) >> 1) {
      this.#swap(index, above);
      index = above;
    }
  }

  /** Runs the next event; returns false when there is none. */
  next(): boolean {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last) return false;
    if (heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    first.then(first.at);
    return true;
  }

  #sink(): void {
    const at = (index: number) => this.#heap[index]?.at ?? Number.POSITIVE_INFINITY;
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const least = at(left + 1) < at(left) ? left + 1 : left;
      if (at(least) >= at(index)) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a && b) [this.#heap[one], this.#heap[other]] = [b, a];
  }
}

/** Cores that take work in the order in which it arrives; none is dropped. */
class Cores {
  readonly #freeAt: number[];
  worked = 0;

  constructor(count: number) {
    this.#freeAt = Array.from({ length: count }, () => 0);
  }

  /** Returns when work that arrives now is done, on a given core or on the one that is free first. */
  take(now: number, ms: number, core = this.#freest()): number {
    const end = Math.max(now, this.#freeAt[core] ?? 0) + ms;
    this.#freeAt[core] = end;
    this.worked += ms;
    return end;
  }

  #freest(): number {
    let best = 0;
    for (let core = 1; core < this.#freeAt.length; core++)
      if ((this.#freeAt[core] ?? 0) < (this.#freeAt[best] ?? 0)) best = core;
    return best;
  }
}

interface Lock {
  freeAt: number;
  inBatch: number;
  heldMs: number;
}

/**
 * Simulates so many cores under a load; requests arrive at random, go to any process, and take random times around
 * their mean.
 */
export class Plant {
  readonly #demand: Demand;
  readonly #need: Need;
  readonly #locks = new Map<number, Lock>();

  constructor(demand: Demand, need: Need) {
    this.#demand = demand;
    this.#need = need;
  }

  play(seconds: number): Played {
    const { processes, databaseCores } = this.#need;
    const [own, database] = [new Cores(processes), new Cores(databaseCores)];
    const agenda = new Agenda();
    const waits: number[] = [];
    const all = seconds * 1000;
    const gapMs = 1000 / this.#demand.requests;
    const anyOwn = () => Math.floor(Math.random() * processes);
    const arrive = (now: number): void => {
      if (now + gapMs < all) agenda.add(now + random(gapMs), arrive);
      const kind = this.#kind();
      const written = (at: number): void => {
        const done = kind === 'send' || kind === 'flags' ? this.#inLog(at) : at;
        waits.push(done - now);
        if (kind !== 'send') return;
        for (let one = 0; one < SUBSCRIBERS; one++)
          agenda.add(done, (when) => own.take(when, random(COST.poll.process), anyOwn()));
      };
      agenda.add(own.take(now, random(COST[kind].process), anyOwn()), (at) =>
        agenda.add(database.take(at, random(COST[kind].database)), written),
      );
    };
    agenda.add(0, arrive);
    while (agenda.next());
    return {
      busy: { process: own.worked / all / processes, database: database.worked / all / databaseCores },
      waitMs: { median: quantile(waits, 0.5), p99: quantile(waits, 0.99) },
      lockBusy: Math.max(0, ...[...this.#locks.values()].map(({ heldMs }) => heldMs)) / all,
    };
  }

  #kind(): Asked {
    let left = Math.random() * this.#demand.requests;
    for (const [kind, rate] of this.#demand.rates) {
      left -= rate;
      if (left < 0) return kind;
    }
    return 'poll';
  }

  /** Returns when a write has had the lock of its organization's log; writes that wait together share a batch. */
  #inLog(at: number): number {
    // Larger organizations are rarer: the first has as many people as the next two.
    const index = Math.floor(this.#demand.organizations ** Math.random()) - 1;
    const lock = this.#locks.get(index) ?? { freeAt: 0, inBatch: 0, heldMs: 0 };
    this.#locks.set(index, lock);
    const joins = lock.freeAt > at && lock.inBatch < BATCH;
    lock.inBatch = joins ? lock.inBatch + 1 : 1;
    const ms = LOCKED_MS.write + (joins ? 0 : LOCKED_MS.batch);
    lock.freeAt = Math.max(at, lock.freeAt) + ms;
    lock.heldMs += ms;
    return lock.freeAt;
  }
}

/** Returns an exponentially distributed time of this mean, as between independent events. */
function random(mean: number): number {
  return -Math.log(1 - Math.random()) * mean;
}
