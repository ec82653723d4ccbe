/**
 * Where rows of different heights lie. Rows that were never shown count with the average of those that were, so the length of
 * the whole settles as one reads. All lengths are px.
 */
export class Heights {
  readonly #measured = new Map<string, number>();
  readonly #fallback: number;
  #sum = 0;
  #keys: readonly string[] = [];
  /** Offsets of the rows' tops; one more for the end. */
  #tops = new Float64Array(1);
  /** The last of them that is still right: what changes at the end of thousands of rows moves no others. */
  #right = 0;
  /** The average that they were computed with. */
  #average = 0;

  constructor(fallback: number) {
    this.#fallback = fallback;
  }

  /** The rows in order. Heights of keys that come back are remembered. */
  setKeys(keys: readonly string[]): void {
    if (keys === this.#keys) return;
    let same = 0;
    while (same < this.#right && keys[same] === this.#keys[same]) same += 1;
    this.#right = Math.min(same, keys.length);
    this.#keys = keys;
  }

  /** Notes a row's height; says whether it changed. `index`: where the row lies, if that is known. */
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
    const count = this.#keys.length;
    // In whole px: each row that is measured would else move all that were not by a little, and the page be laid out again.
    const average = this.#measured.size === 0 ? this.#fallback : Math.round(this.#sum / this.#measured.size);
    if (average !== this.#average) this.#right = 0;
    this.#average = average;
    if (this.#tops.length <= count) this.#tops = grown(this.#tops, count);
    for (let index = this.#right; index < count; index += 1)
      this.#tops[index + 1] = (this.#tops[index] ?? 0) + (this.#measured.get(this.#keys[index] ?? '') ?? average);
    this.#right = count;
    return this.#tops;
  }
}

/** The same, with room for half as many more than are needed. */
function grown(tops: Float64Array, count: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.ceil(count * 1.5) + 1);
  larger.set(tops);
  return larger;
}
