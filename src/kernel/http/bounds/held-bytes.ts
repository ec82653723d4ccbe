interface Share {
  bytes: number;
  /** The largest amount taken at once. */
  largest: number;
}

/** Limits, in bytes. */
interface HeldBounds {
  readonly max: number;
  readonly maxPerCaller: number;
  /**
   * Additional room for callers who hold at most `small` bytes, so that a few who use their full share do not prevent
   * others from logging in or sending a message.
   */
  readonly reserve?: { readonly small: number; readonly bytes: number };
}

/** Counts bytes that requests hold in memory, with a limit for all and one per caller. */
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

  /** Whether there is room for another one as large as the caller's largest; true if the caller holds nothing. */
  hasRoomForAnother(caller: string): boolean {
    const own = this.#byCaller.get(caller);
    return !own || this.#fits(own.bytes, own.largest);
  }

  /**
   * Takes bytes; false if there is no room. If nothing is held, any amount fits: otherwise nothing that is larger than
   * the limit could be served.
   */
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
