import { ServerBusy } from '#kernel/errors';

/** Limits of running and waiting work. */
interface TurnsOptions {
  readonly max: number;
  readonly maxPerCaller: number;
  readonly maxWaitingPerCaller: number;
}

interface CallerQueue {
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
  readonly #queues = new Map<string, CallerQueue>();
  #working = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /**
   * Resolves when it is the caller's turn, with a function that ends it. Throws SERVER_BUSY if the caller has too much
   * waiting.
   */
  async take(caller: string): Promise<() => void> {
    const queue = this.#queues.get(caller) ?? { working: 0, waiting: [] };
    if (queue.waiting.length >= this.#options.maxWaitingPerCaller) throw ServerBusy({ 'retry-after': 5 });
    this.#queues.set(caller, queue);
    await new Promise<void>((resolve) => {
      queue.waiting.push(resolve);
      this.#next();
    });
    return () => {
      queue.working--;
      this.#working--;
      if (queue.working === 0 && queue.waiting.length === 0) this.#queues.delete(caller);
      this.#next();
    };
  }

  #next(): void {
    if (this.#working >= this.#options.max) return;
    for (const [caller, queue] of this.#queues) {
      if (queue.working >= this.#options.maxPerCaller) continue;
      const begin = queue.waiting.shift();
      if (!begin) continue;
      this.#queues.delete(caller);
      this.#queues.set(caller, queue);
      queue.working++;
      this.#working++;
      return begin();
    }
  }
}
