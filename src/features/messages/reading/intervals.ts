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

/** The parts of intervals that are in none of the others; both lists are ascending and do not overlap. */
export function outside(intervals: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  const parts: Interval[] = [];
  let next = 0;
  for (const { first, last } of intervals) {
    let start = first;
    while ((others[next]?.last ?? Infinity) < first) next++;
    for (let at = next; at < others.length; at++) {
      const other = others[at];
      if (!other || other.first > last) break;
      if (other.first > start) parts.push({ first: start, last: other.first - 1 });
      start = other.last + 1;
    }
    if (start <= last) parts.push({ first: start, last });
  }
  return parts;
}

/** The interval of places in a list of ascending IDs at which those from first to last are; empty if there are none. */
export function placesWithin(ids: readonly number[], { first, last }: Interval): readonly Interval[] {
  const [from, until] = [countBelow(ids, first), countBelow(ids, last + 1)];
  return from < until ? [{ first: from, last: until - 1 }] : [];
}

function countBelow(ids: readonly number[], number: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
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
