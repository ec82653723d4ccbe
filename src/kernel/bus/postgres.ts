import type { Clock } from '#kernel/clock';
import type pg from 'pg';
import type { Bus } from './bus.ts';

/** Milliseconds before a lost connection is tried again. */
const RECONNECT_MS = 1000;

/** Wake-ups by PostgreSQL's LISTEN and NOTIFY; enough for a few processes without Redis. Texts up to 8,000 bytes. */
export async function openPostgresBus(url: string, clock: Clock, onError: (error: Error) => void): Promise<Bus> {
  const bus = new PostgresBus(url, clock, onError);
  await bus.connect();
  return bus;
}

class PostgresBus implements Bus {
  readonly isShared = true;
  readonly #url: string;
  readonly #clock: Clock;
  readonly #onError: (error: Error) => void;
  readonly #ears = new Map<string, (text: string) => void>();
  #client: pg.Client | undefined;
  /** The statement asked for last: a connection takes one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(url: string, clock: Clock, onError: (error: Error) => void) {
    this.#url = url;
    this.#clock = clock;
    this.#onError = onError;
  }

  async connect(): Promise<void> {
    const { Client } = (await import('pg')).default;
    const client = new Client({ connectionString: this.#url });
    client.on('error', (error) => this.#lost(error));
    client.on('notification', (notice) => this.#ears.get(notice.channel)?.(notice.payload ?? ''));
    await client.connect();
    for (const channel of this.#ears.keys()) await client.query(`listen "${channel}"`);
    this.#client = client;
  }

  publish(topic: string, text: string): void {
    this.#query('select pg_notify($1, $2)', [channelOf(topic), text]).catch(this.#onError);
  }

  async subscribe(topic: string, hear: (text: string) => void): Promise<void> {
    this.#ears.set(channelOf(topic), hear);
    await this.#query(`listen "${channelOf(topic)}"`);
  }

  /** Runs a statement after those before it; nothing while there is no connection. */
  #query(text: string, values: readonly string[] = []): Promise<unknown> {
    const result = this.#last.then(() => this.#client?.query(text, [...values]));
    this.#last = result.catch(() => {});
    return result;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    await this.#client?.end();
  }

  #lost(error: Error): void {
    this.#client = undefined;
    this.#onError(error);
    if (this.#closed) return;
    this.#clock.after(RECONNECT_MS, () => {
      this.connect().catch((failure: Error) => this.#lost(failure));
    });
  }
}

function channelOf(topic: string): string {
  return `roost_${topic.replaceAll(/\W/g, '_')}`;
}
