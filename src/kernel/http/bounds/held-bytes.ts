/** Bytes that requests keep in memory at the moment, with a bound for all of them and one for each caller. */
export class HeldBytes {
  readonly #max: number;
  readonly #maxPerCaller: number;
  readonly #byCaller = new Map<string, number>();
  #held = 0;

  constructor({ max, maxPerCaller }: { readonly max: number; readonly maxPerCaller: number }) {
    this.#max = max;
    this.#maxPerCaller = maxPerCaller;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether there was room. What comes first always fits, or nothing large could ever be served. */
  take(caller: string, bytes: number): boolean {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own > 0 && own + bytes > this.#maxPerCaller) return false;
    if (this.#held > 0 && this.#held + bytes > this.#max) return false;
    this.#held += bytes;
    this.#byCaller.set(caller, own + bytes);
    return true;
  }

  giveBack(caller: string, bytes: number): void {
    this.#held -= bytes;
    const own = (this.#byCaller.get(caller) ?? 0) - bytes;
    if (own > 0) this.#byCaller.set(caller, own);
    else this.#byCaller.delete(caller);
  }
}
