import type { Clock } from '#kernel/clock';
import type { Entry } from './entry.ts';

/** Most characters of entries that are looked through, or read from the database, before other work runs; or one entry. */
export const PORTION_CHARACTERS = 500_000;

/** The entries in portions, in order. */
export function inPortions(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const portions: Entry[][] = [];
  let characters = PORTION_CHARACTERS;
  for (const entry of entries) {
    if (characters >= PORTION_CHARACTERS) {
      portions.push([]);
      characters = 0;
    }
    portions.at(-1)?.push(entry);
    characters += entry.size;
  }
  return portions;
}

/** Work on one portion, and what tells its caller that it is done. */
interface Portion {
  readonly work: () => Promise<void>;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Works on portions of old entries one at a time, for people in turns, and leaves others as much time as they take:
 * queues that nobody has polled for days may have a log of any length before them.
 */
export class Portions {
  readonly #clock: Clock;
  /** The portions that wait, by person; whose turn is next comes first. */
  readonly #waiting = new Map<number, Portion[]>();
  #isWorking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves when `work` has been done, after that of others whose turn came before. Of one person, what has begun goes
   * before what has not, so that little is held at the same time.
   */
  take(userId: number, hasBegun: boolean, work: () => Promise<void>): Promise<void> {
    return new Promise((done, failed) => {
      const portion = { work, done, failed };
      const own = this.#waiting.get(userId) ?? [];
      if (hasBegun) own.unshift(portion);
      else own.push(portion);
      this.#waiting.set(userId, own);
      if (!this.#isWorking) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let portion = this.#next(); portion; portion = this.#next()) {
      const began = this.#clock.monotonicMs();
      await portion.work().then(portion.done, portion.failed);
      await this.#pause(this.#clock.monotonicMs() - began);
    }
    this.#isWorking = false;
  }

  #next(): Portion | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [userId, portions] = first;
    const next = portions.shift();
    this.#waiting.delete(userId);
    if (portions.length > 0) this.#waiting.set(userId, portions);
    return next;
  }

  async #pause(ms: number): Promise<void> {
    if (ms < 1) await new Promise(setImmediate);
    else await new Promise<void>((resolve) => this.#clock.after(ms, resolve));
  }
}
