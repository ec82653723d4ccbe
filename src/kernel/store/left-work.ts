import type { Closing, ClosingTx } from './transactions.ts';

/** What writes have left to be done before their commit. */
export class LeftWork {
  readonly #items = new Map<Closing<never>, unknown[]>();

  add<T>(closing: Closing<T>, ...items: readonly T[]): void {
    const known = this.#items.get(closing);
    if (known) known.push(...items);
    else this.#items.set(closing, [...items]);
  }

  /** Takes over what another write has left. */
  take(other: LeftWork): void {
    // Each list holds the items of its own kind of work.
    for (const [closing, items] of other.#items) this.add(closing, ...(items as never[]));
  }

  /** Does it. */
  async finish(tx: ClosingTx): Promise<void> {
    for (const [closing, items] of this.#items) await closing(tx, items as never[]);
  }
}
