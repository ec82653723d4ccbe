import type { Clock } from '../../api/index.ts';

/** A message counts as read when it has been in sight for so many milliseconds. */
const SEEN_MS = 300;

interface InSightOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether the person looks at this page, and not at another window. */
  readonly isLookedAt: () => boolean;
  readonly seen: (ids: readonly number[]) => void;
}

/** Tells of messages that stay in sight for a moment, however many others come and go meanwhile. */
export class InSight {
  readonly #options: InSightOptions;
  #ids: readonly number[] = [];
  #isLooking = false;
  #isGone = false;

  constructor(options: InSightOptions) {
    this.#options = options;
  }

  /** What is in sight from now on. */
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
