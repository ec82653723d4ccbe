/** Numbers of one word of a set: few enough for a number that needs no place of its own in memory. */
const BITS = 30;

/** Whole numbers from 0 on, most of which stand beside each other: a million of them take some hundred kilobytes. */
export class NumberSet {
  readonly #words = new Map<number, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    return ((this.#words.get(Math.floor(number / BITS)) ?? 0) & (1 << (number % BITS))) !== 0;
  }

  add(number: number): void {
    if (this.has(number)) return;
    const word = Math.floor(number / BITS);
    this.#words.set(word, (this.#words.get(word) ?? 0) | (1 << (number % BITS)));
    this.#size++;
  }
}
