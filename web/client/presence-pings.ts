import { signal } from '@preact/signals';
import type { Api, Clock } from '../api/index.ts';
import type { Model } from '../model/index.ts';

/** Milliseconds without input after which a person counts as idle. */
const IDLE_MS = 5 * 60_000;
/** Difference of the clocks from which on it matters, in milliseconds. */
const TOLERANCE_MS = 2000;
/** Default where the server does not say how often it wants presence. */
const PING_SECONDS = 60;

interface PingOptions {
  readonly api: Pick<Api, 'call'>;
  readonly clock: Clock;
  readonly model: Model;
  /** Whether this tab is visible. */
  readonly isVisible: () => boolean;
  /** Whether this tab reports for the browser while no tab is visible. */
  readonly isLeading: () => boolean;
}

/**
 * Reports whether the person is active or idle, and receives the presence of others. See protocol/presence#reporting.
 */
export class PresencePings {
  readonly #options: PingOptions;
  #usedAt: number;
  #updateId: number | undefined;
  #saidActive = false;
  #wake = new AbortController();
  /** Milliseconds by which the server's clock is ahead of this one; views that depend on the time subscribe to it. */
  readonly #aheadMs = signal(0);

  constructor(options: PingOptions) {
    this.#options = options;
    this.#usedAt = options.clock.now();
  }

  /** The server's time, in seconds. */
  now(): number {
    return (this.#options.clock.now() + this.#aheadMs.value) / 1000;
  }

  /**
   * Called on a key press, a movement of the pointer, or when the page becomes visible. A person who was idle is
   * reported active at once.
   */
  used(): void {
    this.#usedAt = this.#options.clock.now();
    if (!this.#saidActive && this.#options.isVisible()) this.#wake.abort();
  }

  /** Reports until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, model } = this.#options;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const woken = AbortSignal.any([signal, this.#wake.signal]);
      await this.ping();
      const seconds = model.facts.peek('server_presence_ping_interval_seconds') ?? PING_SECONDS;
      await clock.sleep(seconds * 1000, woken);
    }
  }

  /** Reports once. A failed report is not repeated before the next one is due. */
  async ping(): Promise<void> {
    const { api, clock, model, isVisible, isLeading } = this.#options;
    const isActive = isVisible() && clock.now() - this.#usedAt < IDLE_MS;
    this.#saidActive = isActive;
    if (model.me === 0 || (!isVisible() && !isLeading())) return;
    try {
      const last_update_id = this.#updateId ?? model.facts.peek('presence_last_update_id') ?? -1;
      const answer = await api.call('POST', '/users/me/presence', {
        status: isActive ? 'active' : 'idle',
        new_user_input: isActive,
        last_update_id,
      });
      this.#updateId = answer.presence_last_update_id;
      const ahead = (answer.server_timestamp ?? Number.NaN) * 1000 - clock.now();
      if (Math.abs(ahead - this.#aheadMs.peek()) > TOLERANCE_MS) this.#aheadMs.value = ahead;
      model.presences.merge(answer.presences ?? {});
      model.presences.tick(this.now());
    } catch {
      this.#saidActive = false;
    }
  }
}
