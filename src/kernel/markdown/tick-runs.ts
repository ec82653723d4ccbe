/** A run of backticks: where it begins and how many there are. */
export interface TickRun {
  readonly index: number;
  readonly length: number;
}

/** Finds runs by their length; asked from left to right, all questions together cost one walk. */
export class TickRuns {
  readonly #byLength = new Map<number, { readonly runs: TickRun[]; next: number }>();

  constructor(runs: readonly TickRun[]) {
    for (const run of runs) {
      const same = this.#byLength.get(run.length);
      if (same) same.runs.push(run);
      else this.#byLength.set(run.length, { runs: [run], next: 0 });
    }
  }

  /** The first run of exactly `length` that begins at `from` or later. `from` never falls between two calls. */
  find(length: number, from: number): TickRun | undefined {
    const same = this.#byLength.get(length);
    if (!same) return undefined;
    while ((same.runs[same.next]?.index ?? Number.POSITIVE_INFINITY) < from) same.next++;
    return same.runs[same.next];
  }
}
