import type { Clock } from '../../api/index.ts';

/** Milliseconds for which a message must be visible to count as read. */
const SEEN_MS = 300;

interface InSightOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether this page is visible and its window has the focus. */
  readonly isLookedAt: () => boolean;
  readonly seen: (ids: readonly number[]) => void;
}

/** Reports messages that stay visible for a moment, however many others appear and disappear meanwhile. */
export class InSight {
  readonly #options: InSightOptions;
  #ids: readonly number[] = [];
  #isLooking = false;
  #isGone = false;

  constructor(options: InSightOptions) {
    this.#options = options;
  }

  /** Sets the messages that are visible now. */
  show(ids: readonly number[]): void {
    this.#ids = ids;
    if (!this.#isLooking) void this.#look();
  }

  leave(): void {
    this.#isGone = true;
  }

  async #look(): Promise<void> {
    const { clock, isLookedAt, seen } = this.#options;
    this.#isLooking = true;
    let before: readonly number[];
    do {
      before = this.#ids;
      await clock.sleep(SEEN_MS);
      const still = new Set(this.#ids);
      if (!this.#isGone && isLookedAt()) seen(before.filter((id) => still.has(id)));
    } while (this.#ids !== before && !this.#isGone);
    this.#isLooking = false;
  }
}
