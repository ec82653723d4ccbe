import { batch } from '@preact/signals';
import type { AnyEvent } from '../model/index.ts';

/** Events since the oldest running fetch began, whose reply may be older than they are. */
export class Journal {
  readonly #apply: (event: AnyEvent) => void;
  readonly #events: AnyEvent[] = [];
  #running = 0;
  /** Number of times that events were missed. */
  #epoch = 0;

  constructor(apply: (event: AnyEvent) => void) {
    this.#apply = apply;
  }

  note(event: AnyEvent): void {
    if (this.#running > 0) this.#events.push(event);
  }

  /** Makes running fetches start again: a reply requested before events were missed may lack their changes. */
  missed(): void {
    this.#epoch += 1;
  }

  /** Applies the reply to a fetch, and then again the events since the fetch began. */
  async run<T>(fetch: () => Promise<() => T>): Promise<T> {
    this.#running += 1;
    let from = this.#events.length;
    try {
      let epoch = this.#epoch;
      let take = await fetch();
      while (epoch !== this.#epoch) {
        epoch = this.#epoch;
        from = this.#events.length;
        take = await fetch();
      }
      return batch(() => {
        const result = take();
        for (const event of this.#events.slice(from)) this.#apply(event);
        return result;
      });
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#events.length = 0;
    }
  }
}
