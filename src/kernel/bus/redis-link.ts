import { type Clock, repeat } from '#kernel/clock';
import type { Redis } from 'ioredis';

/** Milliseconds that Redis gets to answer a command, and to take a connection. */
const COMMAND_MS = 250;
const CONNECT_MS = 1000;
/** Milliseconds between two tries to connect, and between two looks whether it still answers. */
const RETRY_MS = 500;
const PING_EVERY_MS = 1000;

/** Asks Redis something small. */
type Probe = (client: Redis) => Promise<unknown>;

/**
 * A connection to Redis that keeps nobody waiting: it opens at once and connects when it can, a command has a bound, and
 * after one failure nobody is sent there until Redis has answered again.
 */
export class RedisLink {
  readonly client: Redis;
  readonly #onLost: (error: Error) => void;
  readonly #probe: Probe;
  readonly #stop: () => Promise<void>;
  #isUsable = false;
  #isClosed = false;

  private constructor(client: Redis, clock: Clock, onLost: (error: Error) => void, probe: Probe) {
    this.client = client;
    this.#onLost = onLost;
    this.#probe = probe;
    client.on('error', (error: Error) => this.lost(error));
    client.on('close', () => (this.#isUsable = false));
    client.on('ready', () => (this.#isUsable = true));
    const failed = (error: unknown) => this.lost(error);
    this.#stop = repeat(clock, () => this.#look(), { everyMs: PING_EVERY_MS, failed });
  }

  /** `probe` fails where Redis does not do what it is asked for. */
  static async open(
    url: string,
    clock: Clock,
    onLost: (error: Error) => void,
    probe: Probe = (client) => client.ping(),
  ): Promise<RedisLink> {
    const { Redis } = await import('ioredis');
    const client = new Redis(url, {
      commandTimeout: COMMAND_MS,
      connectTimeout: CONNECT_MS,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      keepAlive: 5000,
      maxRetriesPerRequest: 0,
      retryStrategy: () => RETRY_MS,
    });
    return new RedisLink(client, clock, onLost, probe);
  }

  /** Whether Redis has answered what it was asked last. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** A command has failed: until Redis has answered again, nobody asks it. */
  lost(error: unknown): void {
    this.#isUsable = false;
    if (!this.#isClosed) this.#onLost(error instanceof Error ? error : new Error(String(error)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.client.disconnect();
    await this.#stop();
  }

  async #look(): Promise<void> {
    if (this.client.status !== 'ready') return;
    try {
      await this.#probe(this.client);
      this.#isUsable = true;
    } catch (error) {
      this.lost(error);
      // It answers, and refuses: because it is full, or only a copy.
      if (error instanceof Error && error.name === 'ReplyError') return;
      // A connection whose packets are dropped looks open for a long time, and what is written to it waits in memory.
      this.client.disconnect(true);
    }
  }
}
