/** Milliseconds in which a failure that repeats is written once. */
const EVERY_MS = 60_000;
/** Most failures that are told apart; beyond, all are forgotten and written once more. */
const MAX_KNOWN = 500;

interface Known {
  readonly sinceMs: number;
  /** Those that were not written. */
  count: number;
  write: (repeated: number) => void;
}

/** Keeps a failure that happens again and again from filling the disk: one line a minute, with how many it stands for. */
export class Repeats {
  readonly #monotonicMs: () => number;
  readonly #known = new Map<string, Known>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Writes a line now, or counts it to those that a later one stands for. */
  pass(key: string, write: (repeated: number) => void): void {
    this.#settle(EVERY_MS);
    const known = this.#known.get(key);
    if (known) {
      known.count++;
      known.write = write;
      return;
    }
    if (this.#known.size >= MAX_KNOWN) this.flush();
    this.#known.set(key, { sinceMs: this.#monotonicMs(), count: 0, write });
    write(0);
  }

  /** Writes what has been counted and not been written. */
  flush(): void {
    this.#settle(0);
  }

  #settle(ageMs: number): void {
    const now = this.#monotonicMs();
    // In the order of their time.
    for (const [key, { sinceMs, count, write }] of this.#known) {
      if (now - sinceMs < ageMs) return;
      this.#known.delete(key);
      if (count === 0) continue;
      // Its next minute begins.
      if (ageMs > 0) this.#known.set(key, { sinceMs: now, count: 0, write });
      write(count);
    }
  }
}

/** What makes two failures the same: where and what they are, not which numbers and names they were about. */
export function kindOf(room: string, message: string, fields: object): string {
  const error: unknown = 'err' in fields ? fields.err : undefined;
  if (!(error instanceof Error)) return `${room}|${message}`;
  const isPlain = ['Error', 'TypeError', 'RangeError'].includes(error.name);
  const code = 'code' in error ? String(error.code) : '';
  return `${room}|${message}|${error.name}|${code || (isPlain ? error.message.replaceAll(/\d+/g, '#') : '')}`;
}
