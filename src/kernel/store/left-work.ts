import { together } from './together.ts';
import type { Closing, ClosingTx } from './transactions.ts';

/** Work that writes have deferred until just before their commit. */
export class LeftWork {
  readonly #items = new Map<Closing<never>, unknown[]>();

  add<T>(closing: Closing<T>, item: T): void {
    const known = this.#items.get(closing);
    if (known) known.push(item);
    else this.#items.set(closing, [item]);
  }

  /** Adds the deferred work of another write. */
  take(other: LeftWork): void {
    // Added one by one, because there may be too many for an argument list. Each list has only items of its kind, so
    // the cast is safe.
    for (const [closing, items] of other.#items) for (const item of items) this.add(closing, item as never);
  }

  /** Runs the work. */
  async finish(tx: ClosingTx): Promise<void> {
    await together([...this.#items].map(([closing, items]) => closing(tx, items as never[])));
  }
}
