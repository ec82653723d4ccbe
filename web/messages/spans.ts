/**
 * What is known of a narrow between two IDs: all its messages from `from` to `to`, both included. `from` is 0 where nothing is
 * older, `to` is Infinity where nothing is newer, and what comes next belongs to it.
 */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Ascending. */
  readonly ids: readonly number[];
}

/** Spans that do not touch each other, ascending. Between two of them is a gap of which nothing is known. */
export type Spans = readonly Span[];

/** The spans with one more, which is joined with those that it touches. */
export function withSpan(spans: Spans, added: Span): Spans {
  const touches = (one: Span) => one.from <= added.to && one.to >= added.from;
  const joined = spans.filter(touches).reduce(union, added);
  return [...spans.filter((one) => !touches(one)), joined].toSorted((a, b) => a.from - b.from);
}

function union(a: Span, b: Span): Span {
  const ids = [...new Set([...a.ids, ...b.ids])].toSorted((one, other) => one - other);
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to), ids };
}

/** The span that holds a place, if it is known. */
export function spanAt(spans: Spans, id: number): Span | undefined {
  return spans.find((one) => one.from <= id && id <= one.to);
}

/** The spans with a message of the narrow, where its place is known. */
export function withMessage(spans: Spans, id: number): Spans {
  const span = spanAt(spans, id);
  if (!span || has(span.ids, id)) return spans;
  const at = placeOf(span.ids, id);
  const ids = [...span.ids.slice(0, at), id, ...span.ids.slice(at)];
  return spans.map((one) => (one === span ? { ...one, ids } : one));
}

/** The spans without these messages; what is known of their places stays known. */
export function withoutMessages(spans: Spans, gone: ReadonlySet<number>): Spans {
  if (!spans.some((one) => one.ids.some((id) => gone.has(id)))) return spans;
  return spans.map((one) => ({ ...one, ids: one.ids.filter((id) => !gone.has(id)) }));
}

/** The span's newest or oldest messages, at most `count`; the rest is forgotten and becomes a gap. */
export function cut(span: Span, count: number, keep: 'newest' | 'oldest'): Span {
  if (span.ids.length <= count) return span;
  const ids = keep === 'newest' ? span.ids.slice(-count) : span.ids.slice(0, count);
  const [first = span.from, last = span.to] = [ids[0], ids.at(-1)];
  return keep === 'newest' ? { ...span, from: first, ids } : { ...span, to: last, ids };
}

function has(ids: readonly number[], id: number): boolean {
  return ids[placeOf(ids, id)] === id;
}

/** Where an ID stands among ascending ones, or would stand. */
function placeOf(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  // New messages mostly come last.
  if (high > 0 && (ids[high - 1] ?? 0) < id) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
