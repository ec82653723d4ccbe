/**
 * A range of IDs, both ends included, in which all messages of a narrow are known. `from` is 0 if there are none
 * before; `to` is Infinity if there are none after, so that new messages belong to the span.
 */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Ascending. */
  readonly ids: readonly number[];
}

/** Spans in ascending order that do not touch. Nothing is known of the IDs between them. */
export type Spans = readonly Span[];

/** Adds a span and merges it with those that it touches. */
export function withSpan(spans: Spans, added: Span): Spans {
  const touches = (one: Span) => one.from <= added.to && one.to >= added.from;
  const joined = spans.filter(touches).reduce(union, added);
  return [...spans.filter((one) => !touches(one)), joined].toSorted((a, b) => a.from - b.from);
}

function union(a: Span, b: Span): Span {
  const ids = [...new Set([...a.ids, ...b.ids])].toSorted((one, other) => one - other);
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to), ids };
}

/** Returns the span that covers an ID; undefined where it is unknown. */
export function spanAt(spans: Spans, id: number): Span | undefined {
  return spans.find((one) => one.from <= id && id <= one.to);
}

/** Adds a message to the span that covers its ID, if there is one. */
export function withMessage(spans: Spans, id: number): Spans {
  const span = spanAt(spans, id);
  if (!span || has(span.ids, id)) return spans;
  const at = placeOf(span.ids, id);
  const ids = [...span.ids.slice(0, at), id, ...span.ids.slice(at)];
  return spans.map((one) => (one === span ? { ...one, ids } : one));
}

/** Removes messages; the ranges of the spans stay known. */
export function withoutMessages(spans: Spans, gone: ReadonlySet<number>): Spans {
  if (!spans.some((one) => one.ids.some((id) => gone.has(id)))) return spans;
  return spans.map((one) => ({ ...one, ids: one.ids.filter((id) => !gone.has(id)) }));
}

/** Keeps the newest or oldest messages of a span, at most `count`; the rest becomes a gap. */
export function cut(span: Span, count: number, keep: 'newest' | 'oldest'): Span {
  if (span.ids.length <= count) return span;
  const ids = keep === 'newest' ? span.ids.slice(-count) : span.ids.slice(0, count);
  const [first = span.from, last = span.to] = [ids[0], ids.at(-1)];
  return keep === 'newest' ? { ...span, from: first, ids } : { ...span, to: last, ids };
}

function has(ids: readonly number[], id: number): boolean {
  return ids[placeOf(ids, id)] === id;
}

/** Returns the index of an ID among ascending ones, or where it would be inserted. */
function placeOf(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  // Shortcut: new messages mostly come last.
  if (high > 0 && (ids[high - 1] ?? 0) < id) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
