/** Milliseconds during which a repeated failure is written once. */
const EVERY_MS = 60_000;
/** Most failures that are tracked; beyond that all are forgotten and written once more. */
const MAX_KNOWN = 500;

interface Known {
  readonly sinceMs: number;
  /** Those that were not written. */
  count: number;
  write: (repeated: number) => void;
}

/** Keeps a repeated failure from filling the disk: one line a minute, with the number of occurrences. */
export class Repeats {
  readonly #monotonicMs: () => number;
  readonly #known = new Map<string, Known>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Writes a line now, or counts it for a later one. */
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

/** The identity of a failure: where and what it is, without numbers and names. */
export function kindOf(room: string, message: string, fields: object): string {
  const error: unknown = 'err' in fields ? fields.err : undefined;
  if (!(error instanceof Error)) return `${room}|${message}`;
  const isPlain = ['Error', 'TypeError', 'RangeError'].includes(error.name);
  const code = 'code' in error ? String(error.code) : '';
  return `${room}|${message}|${error.name}|${code || (isPlain ? error.message.replaceAll(/\d+/g, '#') : '')}`;
}
