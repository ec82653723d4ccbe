import type { Clock } from '#kernel/clock';
import type pg from 'pg';
import type { Bus } from './bus.ts';

/** Milliseconds before reconnecting. */
const RECONNECT_MS = 500;
/** Timeouts for connecting and for each statement, in milliseconds. */
const CONNECT_MS = 1500;
const STATEMENT_MS = 2000;
/** Milliseconds of silence after which TCP checks whether the other side is still there. */
const KEEP_ALIVE_MS = 5000;
/** Most wake-ups that wait for their statement; further ones are dropped, which is harmless. */
const MAX_WAITING = 1000;

/**
 * Sends wake-ups with PostgreSQL's LISTEN and NOTIFY; enough for a few processes without Redis. Texts can have up to
 * 8,000 bytes.
 */
export async function openPostgresBus(url: string, clock: Clock, onError: (error: Error) => void): Promise<Bus> {
  const bus = new PostgresBus(url, clock, onError);
  await bus.connect();
  return bus;
}

/** A connection, and a function to call when it fails. */
interface Connection {
  readonly client: pg.Client;
  readonly over: (error: Error) => void;
}

/** Always has one connection, or is connecting, or waits to reconnect. */
class PostgresBus implements Bus {
  readonly isShared = true;
  readonly #url: string;
  readonly #clock: Clock;
  readonly #onError: (error: Error) => void;
  readonly #ears = new Map<string, (text: string) => void>();
  #connection: Connection | undefined;
  /** The last queued statement; a connection runs one at a time. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  constructor(url: string, clock: Clock, onError: (error: Error) => void) {
    this.#url = url;
    this.#clock = clock;
    this.#onError = onError;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Connects, and retries later if that fails. */
  async connect(): Promise<void> {
    const { Client } = (await import('pg')).default;
    const client = new Client({
      connectionString: this.#url,
      application_name: 'roost-wake-ups',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    client.on('notification', (notice) => this.#ears.get(notice.channel)?.(notice.payload ?? ''));
    // The same failure may be reported by the connection and by each waiting statement.
    let isOver = false;
    const over = (error: Error) => {
      if (isOver) return;
      isOver = true;
      this.#lost(client, error);
    };
    const connection = { client, over };
    client.on('error', over);
    client.on('end', () => over(new Error('the connection ended')));
    try {
      await client.connect();
      for (const channel of this.#ears.keys()) await client.query(`listen "${channel}"`);
      if (!isOver && !this.#closed) this.#connection = connection;
    } catch (error) {
      over(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.#closed) await client.end();
  }

  publish(topic: string, text: string): void {
    if (!this.#connection || this.#waiting >= MAX_WAITING) return;
    void this.#query('select pg_notify($1, $2)', [channelOf(topic), text]);
  }

  async subscribe(topic: string, hear: (text: string) => void): Promise<void> {
    this.#ears.set(channelOf(topic), hear);
    // If this fails, the next connection subscribes.
    await this.#query(`listen "${channelOf(topic)}"`);
  }

  /** Runs a statement after the ones before it. Does nothing without a connection; a failure closes the connection. */
  #query(text: string, values: readonly string[] = []): Promise<void> {
    this.#waiting++;
    const turn = this.#last.then(async () => {
      const connection = this.#connection;
      try {
        await connection?.client.query(text, [...values]);
      } catch (error) {
        connection?.over(error instanceof Error ? error : new Error(String(error)));
      } finally {
        this.#waiting--;
      }
    });
    this.#last = turn;
    return turn;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    await this.#connection?.client.end();
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#connection?.client === client) this.#connection = undefined;
    if (this.#closed) return;
    this.#onError(error);
    client.end().catch(() => undefined);
    this.#clock.after(RECONNECT_MS, () => void this.connect());
  }
}

function channelOf(topic: string): string {
  return `roost_${topic.replaceAll(/\W/g, '_')}`;
}
