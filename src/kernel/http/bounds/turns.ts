import { ServerBusy } from '#kernel/errors';

/** How much is done at once, and how many may wait for it. */
interface TurnsOptions {
  readonly max: number;
  readonly maxPerCaller: number;
  readonly maxWaitingPerCaller: number;
}

interface Line {
  working: number;
  readonly waiting: (() => void)[];
}

/** Lets a few at a time do what takes much memory; callers are served in turn, so that nobody with many requests keeps others waiting. */
export class Turns {
  readonly #options: TurnsOptions;
  /** Those with work or waiting, the next in turn first. */
  readonly #lines = new Map<string, Line>();
  #working = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Resolves when it is this caller's turn, with what ends it. Throws SERVER_BUSY for one who has too much waiting. */
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
