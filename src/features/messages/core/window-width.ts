/** How many IDs a window has at least. */
export const LEAST_WIDTH = 8;

/** A statement that takes fewer milliseconds than this is followed by a wider window, a longer one by a narrower window. */
const SHORT_MS = 3;
const LONG_MS = 12;
/** By what a window becomes wider or narrower. */
const STEP = 4;
/** Of so many statements that would keep their width, one is followed by a wider window, which tells their fixed time. */
const TRY_EVERY = 16;

/** A width of a window, in IDs, and the milliseconds that its statement took. */
interface Taken {
  readonly width: number;
  readonly ms: number;
}

/**
 * How wide the next window is to be. A statement takes a fixed time however narrow its window is, and more for each
 * message in it. Only the latter makes windows narrower: otherwise a search with a large fixed time, or one that waits for
 * others, would get windows of a few messages each and take minutes.
 */
export class WindowWidth {
  width: number;
  /** The fixed time in milliseconds, computed from the last two statements whose widths differed. */
  #fixedMs = 0;
  #before: Taken | undefined;
  #kept = 0;

  constructor(width: number) {
    this.width = width;
  }

  /** Takes note of how many milliseconds the statement over a window of this width took. */
  took(ms: number): void {
    const now = { width: this.width, ms };
    if (this.#before && this.#before.width !== now.width) this.#fixedMs = fixedPart(this.#before, now);
    this.#before = now;
    this.width = Math.max(LEAST_WIDTH, Math.ceil(this.width * this.#factor(ms)));
  }

  #factor(ms: number): number {
    if (ms < SHORT_MS) return STEP;
    // The messages of a window may take as long as the fixed time does, which at most doubles the work; LONG_MS at most.
    const allowedMs = Math.min(this.#fixedMs, LONG_MS);
    const messagesMs = ms - this.#fixedMs;
    if (messagesMs < allowedMs / 2) return 2;
    if (ms > LONG_MS) return messagesMs > allowedMs ? 1 / STEP : 1;
    return this.#kept++ % TRY_EVERY === 0 ? 2 : 1;
  }
}

/** The fixed time of two statements, if the rest grew with their widths; at most what the quicker one took. */
function fixedPart(one: Taken, other: Taken): number {
  const fixed = (one.ms * other.width - other.ms * one.width) / (other.width - one.width);
  return Math.min(Math.max(fixed, 0), one.ms, other.ms);
}
