/**
 * Offsets of rows of different heights, in px. Rows that were never shown count with the average height, so the total
 * becomes exact while scrolling.
 */
export class Heights {
  readonly #measured = new Map<string, number>();
  readonly #fallback: number;
  #sum = 0;
  #keys: readonly string[] = [];
  /** Offsets of the rows' tops, and the end of the last row. */
  #tops = new Float64Array(1);
  /** Index of the last valid offset: a change at the end of thousands of rows recomputes only the last ones. */
  #right = 0;
  /** The average height with which the offsets were computed. */
  #average = 0;

  constructor(fallback: number) {
    this.#fallback = fallback;
  }

  /** Sets the keys of the rows in order. Heights of keys that return are remembered. */
  setKeys(keys: readonly string[]): void {
    if (keys === this.#keys) return;
    let same = 0;
    while (same < this.#right && keys[same] === this.#keys[same]) same += 1;
    this.#right = Math.min(same, keys.length);
    this.#keys = keys;
  }

  /** Notes a row's height; returns whether it changed. `index`: the row's index, if it is known. */
  measure(key: string, height: number, index = 0): boolean {
    const before = this.#measured.get(key);
    if (before === height) return false;
    this.#measured.set(key, height);
    this.#sum += height - (before ?? 0);
    this.#right = Math.min(this.#right, this.#keys[index] === key ? index : 0);
    return true;
  }

  get keys(): readonly string[] {
    return this.#keys;
  }

  /**
   * Height of a row that was never shown. Rounded to whole px: otherwise each measured row would shift all unmeasured
   * ones slightly.
   */
  get average(): number {
    return this.#measured.size === 0 ? this.#fallback : Math.round(this.#sum / this.#measured.size);
  }

  /** Returns the offset of a row's top from the first row's; for the index after the last row, the total height. */
  top(index: number): number {
    return this.#offsets()[Math.max(0, Math.min(index, this.#keys.length))] ?? 0;
  }

  get total(): number {
    return this.top(this.#keys.length);
  }

  /** Returns the index of the row at an offset; the first or last row for offsets outside of all. */
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
    const count = this.#keys.length;
    const { average } = this;
    if (average !== this.#average) this.#right = 0;
    this.#average = average;
    if (this.#tops.length <= count) this.#tops = grown(this.#tops, count);
    for (let index = this.#right; index < count; index += 1)
      this.#tops[index + 1] = (this.#tops[index] ?? 0) + (this.#measured.get(this.#keys[index] ?? '') ?? average);
    this.#right = count;
    return this.#tops;
  }
}

/** Returns a copy with room for half as many more than needed. */
function grown(tops: Float64Array, count: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.ceil(count * 1.5) + 1);
  larger.set(tops);
  return larger;
}
