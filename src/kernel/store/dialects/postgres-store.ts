import type { Clock } from '#kernel/clock';
import type { CommitListener, Flush, IsStored, ReadTx, Store, Versions, WriteBatch, WriteTx } from '../transactions.ts';
import { StoreDoors } from '../of-realm.ts';
import { WorkTaken } from '../taken.ts';
import { postgresDialect } from './postgres.ts';
import type { Connections } from './postgres-pool.ts';
import { PostgresMoment } from './postgres-moment.ts';
import { PostgresSessions } from './postgres-sessions.ts';
import { inSnapshot, type Session } from './postgres-transaction.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { StoreHooks } from './store-hooks.ts';

/** Number of the locks of work that runs once at a time. */
const LOCKS = 7_266_579;

/** The store on PostgreSQL, shared by any number of processes. */
export class PostgresStore extends StoreDoors implements Store {
  readonly dialect = postgresDialect;
  readonly #clock: Clock;
  readonly #hooks = new StoreHooks();
  readonly #sessions: PostgresSessions;
  readonly #writer: PostgresWriter;

  constructor(connections: Connections, clock: Clock) {
    super();
    this.#clock = clock;
    this.#sessions = new PostgresSessions(connections, clock);
    this.#writer = new PostgresWriter(this.#sessions, clock, this.#hooks);
  }

  /** Any number of processes may use it. */
  claim(): Promise<void> {
    return Promise.resolve();
  }

  /** The lock belongs to a connection, which ends with its process. */
  async alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    const client = await this.#sessions.connect();
    try {
      const lock = [LOCKS, name];
      const {
        rows: [row],
      } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as held', lock);
      if (!row?.held) throw new WorkTaken(name);
      try {
        return await work();
      } finally {
        await client.query('select pg_advisory_unlock($1, hashtext($2))', lock).catch(() => undefined);
      }
    } finally {
      client.release();
    }
  }

  connectLog(flush: Flush, listener: CommitListener, isStored: IsStored): void {
    this.#hooks.connect(flush, listener, isStored);
  }

  connectJobs(wake: (lane: string) => void): void {
    this.#hooks.wake = wake;
  }

  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    let looking: Promise<void> | undefined;
    return this.queryAt(() => (looking ??= this.look()), work);
  }

  /** The same store, with cached results as new as `look` finds. */
  queryAt<T>(look: () => Promise<void> | undefined, work: (tx: ReadTx) => Promise<T>): Promise<T> {
    const versions: Versions = { look, at: (tables) => this.#sessions.versions.at(tables) };
    return work({ ...this.#sessions.readTx(this.#sessions), versions });
  }

  /** Finds out what other processes have changed in cached tables; one statement for all simultaneous callers. */
  look(): Promise<void> {
    return this.#sessions.versions.look();
  }

  moment(): Store {
    return new PostgresMoment(this, this.#clock);
  }

  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#sessions.again((session) => {
      const { versions } = this.#sessions.versions.ofSnapshot(session.execute);
      return inSnapshot(session, () => work(this.#inSnapshot(session, versions)));
    });
  }

  /**
   * Reads like `read`, but uses cached results before it is known that nothing has changed, which saves the time of one
   * statement. If something has, the work runs once more in the same snapshot.
   */
  readGuessing<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#sessions.again((session) => {
      const seen = this.#sessions.versions.ofSnapshot(session.execute);
      return inSnapshot(session, async () => {
        try {
          const value = await work(this.#inSnapshot(session, seen.guessed));
          if (await seen.isRight()) return value;
        } catch (error) {
          if (session.failure.hasFailed || (await seen.isRight())) throw error;
        }
        return work(this.#inSnapshot(session, seen.versions));
      });
    });
  }

  #inSnapshot(session: Session, versions: Versions): ReadTx {
    return { ...this.#sessions.readTx(session), versions, isSnapshot: true };
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, batch?: WriteBatch): Promise<T> {
    return this.#writer.write(work, batch);
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('a PostgreSQL database is copied with its own tools (pg_dump)'));
  }

  async close(): Promise<void> {
    await this.#writer.idle();
    await this.#sessions.close();
  }
}
