import type { Clock } from '#kernel/clock';
import type { Log } from '#kernel/log';
import type pg from 'pg';
import { Gate } from './postgres-gate.ts';
import { keepTime, NOW_MS, tellTime } from './postgres-time.ts';

/** Timeout for connecting in milliseconds; short, so that a connection is made soon after the server is back. */
const CONNECT_MS = 1500;
/** Milliseconds for which work waits for a free connection. */
const FREE_MS = 10_000;
/** Milliseconds of silence after which TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;
/** Seconds for which a transaction may be idle while others wait for its locks; its process may be suspended. */
const IDLE_IN_TRANSACTION_SECONDS = 3;

/**
 * Settings of each connection: limits on how long a process that is suspended or unreachable can make others wait. The
 * lock timeout is longer than such a process can hold a lock. Settings that a server does not know are left out
 * (`transaction_timeout` came with PostgreSQL 17).
 */
const SETTINGS = {
  idle_in_transaction_session_timeout: `${IDLE_IN_TRANSACTION_SECONDS}s`,
  lock_timeout: '6s',
  statement_timeout: '30s',
  transaction_timeout: '60s',
  client_connection_check_interval: '2s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '15s',
} as const;

/** Lifts the limits for a transaction that may take long and is waited for: a migration. */
export const WITHOUT_BOUNDS = `select set_config(name, value, true) from (values
  ('idle_in_transaction_session_timeout', '60s'), ('lock_timeout', '0'), ('statement_timeout', '0'),
  ('transaction_timeout', '0')) bound(name, value) where current_setting(name, true) is not null`;

/** The database and how to use it. */
interface PoolOptions {
  readonly url: string;
  /** Most connections. */
  readonly size: number;
  readonly readOnly: boolean;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/** The connections of a process, and whether the database can be reached. */
export interface Connections {
  readonly pool: pg.Pool;
  readonly gate: Gate;
  /** Stops the periodic check of the clock. */
  readonly stop: () => Promise<void>;
}

/**
 * Opens the pool. 64-bit integers are returned as numbers, which are large enough for all IDs. The driver is loaded
 * here, because servers on the embedded database do not need it.
 */
export async function openPool({ url, size, readOnly, clock, log }: PoolOptions): Promise<Connections> {
  const { Client, Pool, types: parsers } = (await import('pg')).default;
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') => {
      if (oid === parsers.builtins.INT8 || oid === parsers.builtins.NUMERIC) return Number;
      const parse: unknown = parsers.getTypeParser(oid, format === 'binary' ? 'binary' : 'text');
      return parse;
    },
  };
  const connection = {
    connectionString: url,
    application_name: 'roost',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const gate = new Gate(clock, log, async () => {
    const probe = new Client(connection);
    probe.on('error', () => undefined);
    try {
      await probe.connect();
    } finally {
      void probe.end().catch(() => undefined);
    }
  });
  // Compiling a plan takes longer than any of our statements, and happens each time one runs.
  const options = `-c jit=off${readOnly ? ' -c default_transaction_read_only=on' : ''}`;
  // Statements are sent without waiting for the result of the one before.
  const settings = { ...connection, max: size, types, options, pipeline: true, connectionTimeoutMillis: FREE_MS };
  /**
   * Its timeout for connecting is shorter than that of waiting for a connection, and it does not try while the server
   * is unreachable.
   */
  class PooledClient extends Client {
    constructor() {
      super({ ...settings, connectionTimeoutMillis: CONNECT_MS });
    }

    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): Promise<pg.Client> | undefined {
      const { fault } = gate;
      if (!done) return super.connect();
      if (fault) process.nextTick(done, fault);
      else super.connect(done);
      return undefined;
    }
  }
  // The pool awaits the callback's result, although its types do not say so.
  const onConnect: (client: pg.ClientBase) => unknown = async (client) => {
    tellTime(clock, log, await prepare(client));
  };
  const pool = new Pool({ ...settings, Client: PooledClient, onConnect });
  // The pool replaces an idle client that has lost its connection at the next use.
  pool.on('error', () => undefined);
  return { pool, gate, stop: keepTime(pool, clock, log) };
}

/** Applies the settings to a new connection; returns the database's time. */
async function prepare(client: pg.ClientBase): Promise<unknown> {
  // Without a listener, losing a connection in use would end the process; its statements fail anyway.
  client.on('error', () => undefined);
  const bounds = Object.entries(SETTINGS).map(([name, value]) => `('${name}', '${value}')`);
  const text = `select set_config(name, value, false), ${NOW_MS} as now_ms
    from (values ${bounds.join(', ')}) bound(name, value) where current_setting(name, true) is not null`;
  const { rows } = await client.query<{ now_ms: unknown }>(Object.assign({ text }, { query_timeout: CONNECT_MS }));
  return rows[0]?.now_ms;
}
