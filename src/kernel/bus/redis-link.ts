import { type Clock, repeat, systemClock } from '#kernel/clock';
import type { Redis } from 'ioredis';

/** Timeouts for a command and for connecting, in milliseconds. */
const COMMAND_MS = 250;
const CONNECT_MS = 1000;
/** Milliseconds between two attempts to connect, and between two checks of an open connection. */
const RETRY_MS = 500;
const PING_EVERY_MS = 1000;

/** A command that shows whether Redis works. */
type Probe = (client: Redis) => Promise<unknown>;

/**
 * A connection to Redis that never blocks its users: it connects in the background, each command has a timeout, and
 * after a failure commands are skipped until Redis answers again.
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

  /** `probe` must fail if Redis answers but does not work properly. */
  static async open(
    url: string,
    clock: Clock,
    onLost: (error: Error) => void,
    probe: Probe = (client) => client.ping(),
  ): Promise<RedisLink> {
    const { Redis } = await import('ioredis');
    const client = new Redis(url, {
      connectTimeout: CONNECT_MS,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      keepAlive: 5000,
      maxRetriesPerRequest: 0,
      retryStrategy: () => RETRY_MS,
    });
    limitCommands(client);
    return new RedisLink(client, clock, onLost, probe);
  }

  /** Whether Redis answered the last command. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Reports that a command failed; Redis is not used until it answers again. */
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
      // It answers with an error, because its memory is full or it is a read-only replica.
      if (error instanceof Error && error.name === 'ReplyError') return;
      // Reconnects, because a connection whose packets are dropped can look open for long, while writes to it
      // accumulate in memory.
      this.client.disconnect(true);
    }
  }
}

/**
 * Makes each command fail that is not answered in time. What has arrived is read first: it may have been this process that
 * was busy, and not Redis that was late.
 */
function limitCommands(client: Redis): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    const late = () => command.reject(new Error('Command timed out'));
    const timer = systemClock.after(COMMAND_MS, () => setImmediate(late));
    const end = () => timer.cancel();
    command.promise.then(end, end);
    return send(command, stream);
  };
}
