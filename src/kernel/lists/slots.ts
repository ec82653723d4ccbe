/**
 * A set, in no order, of objects that come and go quickly, such as requests in progress. A `Set` would keep them alive
 * after they left: it replaces its table now and then, each table refers to the next one, and once the first is in the
 * old generation, collections of the young one keep all that follow and what they held.
 */
export class Slots<T extends object> implements Iterable<T> {
  readonly #items: (T | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#items.length - this.#free.length;
  }

  /** Adds an object; the returned function removes it, and may be called again. */
  add(item: T): () => void {
    const slot = this.#free.pop() ?? this.#items.length;
    this.#items[slot] = item;
    return () => {
      if (this.#items[slot] !== item) return;
      this.#items[slot] = undefined;
      this.#free.push(slot);
    };
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const item of this.#items) if (item) yield item;
  }
}
