import type { Clock } from '../api/index.ts';

/**
 * Milliseconds between two polls: after new messages, the most without new messages, and the most while the server is
 * unreachable.
 */
const SOON_MS = 10_000;
const RARELY_MS = 60_000;
const AWAY_MS = 300_000;
/** Factors of the back-off without new messages, and after a failure. */
const SLOWER = 1.5;
const MUCH_SLOWER = 2;

interface VisitingOptions {
  readonly clock: Clock;
  readonly isVisible: () => boolean;
  /** Fetches the newest messages in view; returns whether any were new. */
  readonly look: () => Promise<boolean>;
}

/** Polls for a visitor while the page is visible, because the server keeps no event queue for visitors. */
export class Visiting {
  readonly #options: VisitingOptions;
  #wake = new AbortController();

  constructor(options: VisitingOptions) {
    this.#options = options;
  }

  /** Polls soon, because the page became visible or shows something else. */
  wake(): void {
    this.#wake.abort();
  }

  /** Polls until `signal` aborts, one request at a time. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, isVisible } = this.#options;
    let pause = SOON_MS;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const woken = AbortSignal.any([signal, this.#wake.signal]);
      await clock.sleep(pause, woken);
      if (isVisible() && !signal.aborted) pause = await this.#look(woken.aborted ? SOON_MS : pause);
    }
  }

  /** Polls once; returns the milliseconds until the next poll. */
  async #look(pause: number): Promise<number> {
    try {
      const isNew = await this.#options.look();
      return isNew ? SOON_MS : Math.min(pause * SLOWER, RARELY_MS);
    } catch {
      return Math.min(pause * MUCH_SLOWER, AWAY_MS);
    }
  }
}
