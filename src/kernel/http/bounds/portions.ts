/**
 * Runs small tasks: up to `max` in each turn of the event loop, the others in the next turns. When hundreds of
 * connections break together, other connections are served in between.
 */
export class Portions {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  /** Tasks that were done in this turn. */
  #done = 0;

  constructor(max: number) {
    this.#max = max;
  }

  do(task: () => void): void {
    if (this.#waiting.length > 0 || this.#done >= this.#max) this.#waiting.push(task);
    else this.#begin(task);
  }

  #begin(task: () => void): void {
    if (this.#done++ === 0) setImmediate(() => this.#next());
    task();
  }

  #next(): void {
    this.#done = 0;
    for (const task of this.#waiting.splice(0, this.#max)) this.#begin(task);
  }
}
