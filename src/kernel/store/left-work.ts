import { together } from './together.ts';
import type { Closing, ClosingTx } from './transactions.ts';

/** What writes have left to be done before their commit. */
export class LeftWork {
  readonly #items = new Map<Closing<never>, unknown[]>();

  add<T>(closing: Closing<T>, item: T): void {
    const known = this.#items.get(closing);
    if (known) known.push(item);
    else this.#items.set(closing, [item]);
  }

  /** Takes over what another write has left. */
  take(other: LeftWork): void {
    // One by one: they may be too many to be arguments. Each list holds the items of its own kind of work.
    for (const [closing, items] of other.#items) for (const item of items) this.add(closing, item as never);
  }

  /** Does it. */
  async finish(tx: ClosingTx): Promise<void> {
    await together([...this.#items].map(([closing, items]) => closing(tx, items as never[])));
  }
}
