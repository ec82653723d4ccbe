/** Message IDs from first to last, both included. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** The interval that reaches from the least to the greatest of the IDs. */
export function spanOf(ids: readonly number[]): Interval {
  let first = Number.MAX_SAFE_INTEGER;
  let last = 0;
  for (const id of ids) {
    first = Math.min(first, id);
    last = Math.max(last, id);
  }
  return { first, last };
}

/** The same IDs as intervals that neither overlap nor touch, ascending. */
export function joined(intervals: readonly Interval[]): readonly Interval[] {
  const result: { first: number; last: number }[] = [];
  for (const { first, last } of intervals.toSorted((a, b) => a.first - b.first)) {
    const before = result.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else result.push({ first, last });
  }
  return result;
}

/** The intervals without single IDs (ascending). */
export function without(intervals: readonly Interval[], ids: readonly number[]): readonly Interval[] {
  return intervals.flatMap((interval) =>
    cut(
      interval,
      ids.filter((id) => interval.first <= id && id <= interval.last),
    ),
  );
}

function cut({ first, last }: Interval, holes: readonly number[]): readonly Interval[] {
  const pieces: Interval[] = [];
  let start = first;
  for (const hole of holes) {
    if (hole > start) pieces.push({ first: start, last: hole - 1 });
    start = hole + 1;
  }
  if (start <= last) pieces.push({ first: start, last });
  return pieces;
}
