import type { Bus } from '#kernel/bus';
import type { Clock } from '#kernel/clock';

const TOPIC = 'queues';
/** Milliseconds in which announcements are gathered into one wake-up. */
const GATHER_MS = 30;
/** Most queues of one wake-up; its text must be short for PostgreSQL. */
const MOST = 200;

/**
 * Tells other processes that a queue is polled here now, so that they answer the queue's poll that is parked there.
 * Sent only if the client may have polled another process before. If the message is lost, the other poll ends by its
 * heartbeat.
 */
export class QueueMoves {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #moved: (queueId: string) => void;
  /** Recognizes our own messages, which come back. */
  readonly #self: string;
  #gathered: string[] = [];

  constructor(bus: Bus, clock: Clock, moved: (queueId: string) => void) {
    this.#bus = bus;
    this.#clock = clock;
    this.#moved = moved;
    this.#self = clock.token(12);
  }

  async start(): Promise<void> {
    if (!this.#bus.isShared) return;
    await this.#bus.subscribe(TOPIC, (text) => {
      const [from, ...ids] = text.split(' ');
      if (from !== this.#self) for (const id of ids) this.#moved(id);
    });
  }

  announce(queueId: string): void {
    if (!this.#bus.isShared) return;
    if (this.#gathered.length === 0) this.#clock.after(GATHER_MS, () => this.#tell());
    this.#gathered.push(queueId);
  }

  #tell(): void {
    const all = this.#gathered;
    this.#gathered = [];
    for (let from = 0; from < all.length; from += MOST)
      this.#bus.publish(TOPIC, [this.#self, ...all.slice(from, from + MOST)].join(' '));
  }
}
