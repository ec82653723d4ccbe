import type { Clock } from '#kernel/clock';
import type { ReadTx, Store, WriteBatch, WriteTx } from '../transactions.ts';
import { StoreDoors } from '../of-realm.ts';
import type { PostgresStore } from './postgres-store.ts';

/** Milliseconds after which a request that is still running checks for changes again. */
const LOOK_AGAIN_MS = 1000;

/** The store on PostgreSQL for one request: cached results are at least as new as the request's beginning. */
export class PostgresMoment extends StoreDoors implements Store {
  readonly dialect: Store['dialect'];
  readonly #store: PostgresStore;
  readonly #clock: Clock;
  /** The check for changes that is running or has failed. */
  #looking: Promise<void> | undefined;
  #lookedMs = -Infinity;

  constructor(store: PostgresStore, clock: Clock) {
    super();
    this.#store = store;
    this.#clock = clock;
    this.dialect = store.dialect;
  }

  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#store.queryAt(this.#look, work);
  }

  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#store.readGuessing(work);
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, batch?: WriteBatch): Promise<T> {
    return this.#store.write(work, batch);
  }

  moment(): Store {
    return this.#store.moment();
  }

  claim(): Promise<void> {
    return this.#store.claim();
  }

  alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#store.alone(name, work);
  }

  backup(): Promise<void> {
    return this.#store.backup();
  }

  connectLog(...log: Parameters<Store['connectLog']>): void {
    this.#store.connectLog(...log);
  }

  connectJobs(wake: (lane: string) => void): void {
    this.#store.connectJobs(wake);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  readonly #look = (): Promise<void> | undefined => {
    const now = this.#clock.monotonicMs();
    if (now - this.#lookedMs < LOOK_AGAIN_MS) return this.#looking;
    this.#lookedMs = now;
    const looking = this.#store.look();
    this.#looking = looking;
    const ended = () => {
      if (this.#looking === looking) this.#looking = undefined;
    };
    looking.then(ended, () => undefined);
    return looking;
  };
}
