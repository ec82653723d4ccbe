/** A run of backticks: its index and length. */
export interface TickRun {
  readonly index: number;
  readonly length: number;
}

/** The runs of one length, and the number of the first that can still be found. */
interface SameLength {
  readonly runs: TickRun[];
  next: number;
}

/** Finds runs by their length; must be called with increasing indexes, so that all calls together take linear time. */
export class TickRuns {
  readonly #runs: readonly TickRun[];
  #byLength: ReadonlyMap<number, SameLength> | undefined;

  constructor(runs: readonly TickRun[]) {
    this.#runs = runs;
  }

  /** Returns the first run of exactly `length` at `from` or later. `from` must not decrease between calls. */
  find(length: number, from: number): TickRun | undefined {
    this.#byLength ??= byLength(this.#runs);
    const same = this.#byLength.get(length);
    if (!same) return undefined;
    while ((same.runs[same.next]?.index ?? Number.POSITIVE_INFINITY) < from) same.next++;
    return same.runs[same.next];
  }
}

function byLength(runs: readonly TickRun[]): Map<number, SameLength> {
  const lengths = new Map<number, SameLength>();
  for (const run of runs) {
    const same = lengths.get(run.length);
    if (same) same.runs.push(run);
    else lengths.set(run.length, { runs: [run], next: 0 });
  }
  return lengths;
}
