import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Clock } from '#kernel/clock';
import { DatabaseAway } from '../away.ts';
import type { Tables } from '../index.ts';
import type { ReadTx } from '../transactions.ts';
import { postgresDialect } from './postgres.ts';
import { accessTo, type ClientAccess, StatementNames } from './postgres-connection.ts';
import { isConnectionError, isRefusal, isTableMissing } from './postgres-errors.ts';
import { type Gate, RIDE_OUT_MS } from './postgres-gate.ts';
import type { Connections } from './postgres-pool.ts';
import { Stalls } from './postgres-stalls.ts';
import type { Session } from './postgres-transaction.ts';
import { boundTo, type Execute } from './session.ts';
import { SharedVersions } from './shared-versions.ts';

/**
 * Milliseconds before work that lost its connection is run again, doubled each time up to a short limit: if no
 * connection can be made, the gate makes the work wait; if each is lost soon, the time in between is needed for the
 * work.
 */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 50;

/** Connections of the pool, lent to one piece of work each, which runs again if its connection was lost in time. */
export class PostgresSessions {
  readonly #clock: Clock;
  readonly #pool: pg.Pool;
  readonly #gate: Gate;
  readonly #stalls: Stalls;
  readonly #stopLooking: () => Promise<void>;
  readonly #names = new StatementNames();
  readonly #accesses = new WeakMap<pg.PoolClient, ClientAccess>();
  /** Runs a statement outside of transactions, on any connection. */
  readonly execute: Execute = (statement) => this.again(({ execute }) => execute(statement));
  /** Builds and runs statements outside of transactions. */
  readonly db: Kysely<Tables> = boundTo(this.execute, 'postgres');
  readonly versions = new SharedVersions({ execute: this.execute, isMissing: isTableMissing });

  constructor({ pool, gate, stop }: Connections, clock: Clock) {
    this.#clock = clock;
    this.#pool = pool;
    this.#gate = gate;
    this.#stopLooking = stop;
    this.#stalls = new Stalls(clock, gate);
  }

  /** Runs work on a connection, and again on another if that was lost before the work can have had an effect. */
  again<T>(use: (session: Session) => Promise<T>): Promise<T> {
    return this.untilDone(() => this.with(use), 0);
  }

  /**
   * Runs work again that lost its connection before it can have had an effect, as long as a client would wait, and at
   * least `atLeast` times: a process that was suspended may have lost its connection because of that.
   */
  async untilDone<T>(work: () => Promise<T>, atLeast: number): Promise<T> {
    const startedAt = this.#clock.monotonicMs();
    for (let again = 0; ; again++) {
      try {
        return await work();
      } catch (error) {
        const isUndone = error instanceof DatabaseAway && error.outcome === 'undone';
        const isInTime = again < atLeast || this.#clock.monotonicMs() - startedAt < RIDE_OUT_MS;
        if (!isUndone || !this.#gate.hasOpened || !isInTime) throw error;
        const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** again);
        await new Promise<void>((resolve) => {
          this.#clock.after(pauseMs, resolve);
        });
      }
    }
  }

  /** What reads through a connection's access. */
  readTx({ db, execute }: Pick<ClientAccess, 'db' | 'execute'>): ReadTx {
    return { db, execute, dialect: postgresDialect, now: this.#clock.now() };
  }

  /** Runs work on a connection of its own. */
  async with<T>(use: (session: Session) => Promise<T>): Promise<T> {
    if (this.#gate.fault) await this.#gate.pass();
    const client = await this.connect();
    const access = this.#accessTo(client);
    this.#stalls.watch(access.watched);
    let broken = false;
    let last: Promise<unknown> | undefined;
    const release = () => {
      this.#stalls.forget(access.watched);
      client.release(broken);
    };
    try {
      const keepUntil = (answer: Promise<unknown>) => {
        last = answer;
      };
      return await use({ client, ...access, keepUntil });
    } catch (error) {
      broken = error instanceof DatabaseAway || isConnectionError(error);
      throw asAway(error);
    } finally {
      if (last) last.catch(() => (broken = true)).finally(release);
      else release();
    }
  }

  /** Takes a connection from the pool, which the caller releases. */
  async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.#pool.connect();
      this.#gate.opened();
      return client;
    } catch (error) {
      // At the start, the system's own error is shown, as for every other address.
      if (!this.#gate.hasOpened && error instanceof Error && ('syscall' in error || 'errors' in error)) throw error;
      if (isConnectionError(error)) this.#gate.close(error);
      throw asAway(error);
    }
  }

  /** Closes all connections when nothing uses them any more. */
  async close(): Promise<void> {
    await this.#stalls.stop();
    this.#gate.stop();
    await this.#stopLooking();
    await this.#pool.end();
  }

  #accessTo(client: pg.PoolClient): ClientAccess {
    const known = this.#accesses.get(client);
    if (known) return known;
    const access = accessTo(client, this.#names, this.versions);
    this.#accesses.set(client, access);
    return access;
  }
}

/** Converts an error to the one that callers get: `DatabaseAway` if the connection is the cause. */
function asAway(error: unknown): unknown {
  if (error instanceof DatabaseAway) return error;
  if (isConnectionError(error)) return new DatabaseAway('undone', error);
  return isRefusal(error) ? new DatabaseAway('refused', error) : error;
}
