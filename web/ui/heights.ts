/**
 * Where rows of different heights lie. Rows that were never shown count with the average of those that were, so the length of
 * the whole settles as one reads. All lengths are px.
 */
export class Heights {
  readonly #measured = new Map<string, number>();
  readonly #fallback: number;
  #sum = 0;
  #keys: readonly string[] = [];
  /** Offsets of the rows' tops; one more for the end. Undefined when they must be computed again. */
  #tops: Float64Array | undefined;

  constructor(fallback: number) {
    this.#fallback = fallback;
  }

  /** The rows in order. Heights of keys that come back are remembered. */
  setKeys(keys: readonly string[]): void {
    if (keys === this.#keys) return;
    this.#keys = keys;
    this.#tops = undefined;
  }

  /** Notes a row's height; says whether it changed. */
  measure(key: string, height: number): boolean {
    const before = this.#measured.get(key);
    if (before === height) return false;
    this.#measured.set(key, height);
    this.#sum += height - (before ?? 0);
    this.#tops = undefined;
    return true;
  }

  get keys(): readonly string[] {
    return this.#keys;
  }

  /** Distance of a row's top from the first one's; of all rows for the index after the last. */
  top(index: number): number {
    return this.#offsets()[Math.max(0, Math.min(index, this.#keys.length))] ?? 0;
  }

  get total(): number {
    return this.top(this.#keys.length);
  }

  /** The row that lies at an offset: the first or last for what is before or behind all. */
  indexAt(offset: number): number {
    const tops = this.#offsets();
    let [low, high] = [0, Math.max(0, this.#keys.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((tops[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #offsets(): Float64Array {
    if (this.#tops) return this.#tops;
    const tops = new Float64Array(this.#keys.length + 1);
    // In whole px: each row that is measured would else move all that were not by a little, and the page be laid out again.
    const average = this.#measured.size === 0 ? this.#fallback : Math.round(this.#sum / this.#measured.size);
    this.#keys.forEach((key, index) => {
      tops[index + 1] = (tops[index] ?? 0) + (this.#measured.get(key) ?? average);
    });
    this.#tops = tops;
    return tops;
  }
}
