import { ServerBusy } from '#kernel/errors';

/** Limits of running and waiting work. */
interface TurnsOptions {
  readonly max: number;
  readonly maxPerCaller: number;
  readonly maxWaitingPerCaller: number;
}

interface Line {
  working: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets a few callers at a time do work that needs much memory; callers take turns, so that one with many requests does
 * not delay others.
 */
export class Turns {
  readonly #options: TurnsOptions;
  /** Callers with running or waiting work, the next one first. */
  readonly #lines = new Map<string, Line>();
  #working = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /**
   * Resolves when it is the caller's turn, with a function that ends it. Throws SERVER_BUSY if the caller has too much
   * waiting.
   */
  async take(caller: string): Promise<() => void> {
    const line = this.#lines.get(caller) ?? { working: 0, waiting: [] };
    if (line.waiting.length >= this.#options.maxWaitingPerCaller) throw ServerBusy({ 'retry-after': 5 });
    this.#lines.set(caller, line);
    await new Promise<void>((resolve) => {
      line.waiting.push(resolve);
      this.#next();
    });
    return () => {
      line.working--;
      this.#working--;
      if (line.working === 0 && line.waiting.length === 0) this.#lines.delete(caller);
      this.#next();
    };
  }

  #next(): void {
    if (this.#working >= this.#options.max) return;
    for (const [caller, line] of this.#lines) {
      if (line.working >= this.#options.maxPerCaller) continue;
      const begin = line.waiting.shift();
      if (!begin) continue;
      this.#lines.delete(caller);
      this.#lines.set(caller, line);
      line.working++;
      this.#working++;
      return begin();
    }
  }
}
