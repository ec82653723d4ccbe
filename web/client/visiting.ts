import type { Clock } from '../api/index.ts';

/** Milliseconds between two looks: after something new, after many in which nothing was, and while the server is away. */
const SOON_MS = 10_000;
const RARELY_MS = 60_000;
const AWAY_MS = 300_000;
/** How much longer it waits after nothing new, and after no answer. */
const SLOWER = 1.5;
const MUCH_SLOWER = 2;

interface VisitingOptions {
  readonly clock: Clock;
  readonly isVisible: () => boolean;
  /** Fetches the newest of what is shown; says whether anything was new. */
  readonly look: () => Promise<boolean>;
}

/** The server keeps no event queue for visitors: what they read is looked at again from time to time, while they see it. */
export class Visiting {
  readonly #options: VisitingOptions;
  #wake = new AbortController();

  constructor(options: VisitingOptions) {
    this.#options = options;
  }

  /** The page came into sight, or shows something else. */
  wake(): void {
    this.#wake.abort();
  }

  /** Goes on until `signal`; one look at a time. */
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

  /** Looks, and says how long to wait then. */
  async #look(pause: number): Promise<number> {
    try {
      const isNew = await this.#options.look();
      return isNew ? SOON_MS : Math.min(pause * SLOWER, RARELY_MS);
    } catch {
      return Math.min(pause * MUCH_SLOWER, AWAY_MS);
    }
  }
}
