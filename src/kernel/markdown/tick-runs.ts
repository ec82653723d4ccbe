/** A run of backticks: where it begins and how many there are. */
export interface TickRun {
  readonly index: number;
  readonly length: number;
}

/** The runs of one length, and the first of them that is still asked for. */
interface SameLength {
  readonly runs: TickRun[];
  next: number;
}

/** Finds runs by their length; asked from left to right, all questions together cost one walk. */
export class TickRuns {
  readonly #runs: readonly TickRun[];
  #byLength: ReadonlyMap<number, SameLength> | undefined;

  constructor(runs: readonly TickRun[]) {
    this.#runs = runs;
  }

  /** The first run of exactly `length` that begins at `from` or later. `from` never falls between two calls. */
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
