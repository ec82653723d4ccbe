import type { Clock } from '#kernel/clock';
import { DirectoryFault } from './fault.ts';

/** Most people who ask a directory at the same time. */
const MAX_PLACES = 50;
/** Most people who wait in line for a place, and the milliseconds for which they wait. */
const MAX_LINE = 500;
const LINE_MS = 8_000;

/** The people who ask a directory, and those who wait in line. While it does not answer, one asks for all. */
export class Places {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #line = new Set<() => void>();
  #taken = 0;
  #most = MAX_PLACES;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Resolves when there is a place, which the caller must leave. Throws if there is none in time. */
  take(): Promise<void> {
    const full = () => new DirectoryFault('busy', 'too many wait');
    if (this.#taken < this.#most) {
      this.#taken++;
      return Promise.resolve();
    }
    if (this.#line.size >= MAX_LINE) return Promise.reject(full());
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(LINE_MS, () => {
        this.#line.delete(go);
        reject(full());
      });
      const go = () => {
        timer.cancel();
        resolve();
      };
      this.#line.add(go);
    });
  }

  /** Gives a place to the next in line, or to all for whom there are places now. */
  leave(hasAnswered: boolean): void {
    this.#most = hasAnswered ? MAX_PLACES : 1;
    this.#taken--;
    for (const go of this.#line) {
      if (this.#taken >= this.#most) return;
      this.#line.delete(go);
      this.#taken++;
      go();
    }
  }
}
