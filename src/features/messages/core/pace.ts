/** How many IDs a window has at least. */
export const LEAST_WIDTH = 8;

/** A statement that takes fewer milliseconds than this is followed by a wider window, a longer one by a narrower window. */
const SHORT_MS = 3;
const LONG_MS = 12;
/** By what a window becomes wider or narrower. */
const STEP = 4;

/** A width of a window, in IDs, and the milliseconds that its statement took. */
interface Taken {
  readonly width: number;
  readonly ms: number;
}

/**
 * How wide the next window is to be. What a statement takes however narrow its window is does not count: a dear one, or
 * one that waits for others, would be made of windows of a few messages each, and a walk would take minutes.
 */
export class Pace {
  width: number;
  /** What each statement takes in any case, in milliseconds, as far as two widths have told. */
  #fixedMs = 0;
  #before: Taken | undefined;

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
    // A window may take as long again as any takes, but no longer than a long one.
    const shareMs = Math.min(this.#fixedMs, LONG_MS);
    const grownMs = ms - this.#fixedMs;
    if (grownMs < shareMs / 2) return 2;
    return ms > LONG_MS && grownMs > shareMs ? 1 / STEP : 1;
  }
}

/** What two statements took in any case, if the rest grew with their widths; at most what the quicker one took. */
function fixedPart(one: Taken, other: Taken): number {
  const fixed = (one.ms * other.width - other.ms * one.width) / (other.width - one.width);
  return Math.min(Math.max(fixed, 0), one.ms, other.ms);
}
