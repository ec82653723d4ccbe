import type { Clock } from '#kernel/clock';

/**
 * Most files that come through this process at once: in all, from one host, for one network of readers, and from one host
 * for one network, so that slow readers of a host leave half of its places to others.
 */
const MOST = { all: 96, host: 24, network: 48, both: 12 };
/** Milliseconds for which a reader waits for a place; browsers ask for all pictures of a page at once. */
const PATIENCE_MS = 10_000;
/** Milliseconds for which an address that gave no file is not asked again, and how many such addresses are kept. */
const FAILED_MS = 60_000;
const MAX_FAILED = 1_000;

/** MediaPlaces for files that come through from other hosts, and the addresses that lately gave none. */
export class MediaPlaces {
  readonly #clock: Clock;
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  readonly #failed = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a place, at once or when one is free; returns how to give it back, or undefined if none gets free. */
  take(host: string, network: string): Promise<(() => void) | undefined> {
    const lines = [
      ['all', MOST.all] as const,
      [`h ${host}`, MOST.host] as const,
      [`n ${network}`, MOST.network] as const,
      [`h ${host} n ${network}`, MOST.both] as const,
    ];
    const isFree = () => lines.every(([key, most]) => (this.#taken.get(key) ?? 0) < most);
    return new Promise((resolve) => {
      const end = (place: (() => void) | undefined) => {
        patience.cancel();
        this.#waiting.delete(look);
        resolve(place);
      };
      const look = () => {
        if (isFree()) end(this.#begin(lines.map(([key]) => key)));
      };
      const patience = this.#clock.after(PATIENCE_MS, () => end(undefined));
      this.#waiting.add(look);
      look();
    });
  }

  #begin(keys: readonly string[]): () => void {
    for (const key of keys) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const key of keys) {
        const left = (this.#taken.get(key) ?? 1) - 1;
        if (left > 0) this.#taken.set(key, left);
        else this.#taken.delete(key);
      }
      for (const look of this.#waiting) look();
    };
  }

  /** Whether an address gave no file within the last minute. */
  hasFailed(address: string): boolean {
    return (this.#failed.get(address) ?? 0) > this.#clock.monotonicMs();
  }

  setFailed(address: string): void {
    if (this.#failed.size >= MAX_FAILED) this.#failed.clear();
    this.#failed.set(address, this.#clock.monotonicMs() + FAILED_MS);
  }
}
