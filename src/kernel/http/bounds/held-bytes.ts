interface Share {
  bytes: number;
  /** Most that were taken at once. */
  largest: number;
}

/** Bounds of what is held; all in bytes. */
interface HeldBounds {
  readonly max: number;
  readonly maxPerCaller: number;
  /**
   * Room beside that, for callers who hold no more than `small`: a few who hold as much as they may keep nobody from logging
   * in, or from sending a message.
   */
  readonly reserve?: { readonly small: number; readonly bytes: number };
}

/** Bytes that requests keep in memory at the moment, with a bound for all of them and one for each caller. */
export class HeldBytes {
  readonly #max: number;
  readonly #maxPerCaller: number;
  readonly #reserve: { readonly small: number; readonly bytes: number };
  readonly #byCaller = new Map<string, Share>();
  #held = 0;

  constructor({ max, maxPerCaller, reserve = { small: 0, bytes: 0 } }: HeldBounds) {
    this.#max = max;
    this.#maxPerCaller = maxPerCaller;
    this.#reserve = reserve;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether there is room for one more as large as the largest that the caller had; always when it has none. */
  hasRoomForAnother(caller: string): boolean {
    const own = this.#byCaller.get(caller);
    return !own || this.#fits(own.bytes, own.largest);
  }

  /** Whether there was room. What comes first always fits, or nothing large could ever be served. */
  take(caller: string, bytes: number): boolean {
    const own = this.#byCaller.get(caller) ?? { bytes: 0, largest: 0 };
    if (!this.#fits(own.bytes, bytes)) return false;
    this.#held += bytes;
    own.bytes += bytes;
    own.largest = Math.max(own.largest, bytes);
    this.#byCaller.set(caller, own);
    return true;
  }

  giveBack(caller: string, bytes: number): void {
    this.#held -= bytes;
    const own = this.#byCaller.get(caller);
    if (!own) return;
    own.bytes -= bytes;
    if (own.bytes <= 0) this.#byCaller.delete(caller);
  }

  #fits(own: number, bytes: number): boolean {
    if (own > 0 && own + bytes > this.#maxPerCaller) return false;
    const room = this.#max + (own + bytes <= this.#reserve.small ? this.#reserve.bytes : 0);
    return this.#held === 0 || this.#held + bytes <= room;
  }
}
