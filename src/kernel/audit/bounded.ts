/** Longest text, most items of a list or members of an object, and deepest nesting that an entry keeps of a value. */
const MAX_TEXT = 1000;
const MAX_ITEMS = 100;
const MAX_DEPTH = 6;
/** Longest value as JSON, in UTF-16 units. */
const MAX_JSON = 10_000;

/** Names of what never stands in the log, whoever puts it there. */
const SECRET = /api_?key|token|secret|otp|password$|^services$/i;
const HIDDEN = '(hidden)';

/** A value as JSON, cut to what an entry keeps, without secrets; null for undefined. */
export function boundedJson(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(bounded(value, 0));
  return text.length <= MAX_JSON ? text : JSON.stringify({ cut: text.slice(0, MAX_TEXT) });
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}…`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const kept = value.slice(0, MAX_ITEMS).map((item) => bounded(item, depth + 1));
    return value.length > MAX_ITEMS ? [...kept, `… of ${value.length}`] : kept;
  }
  const members = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(
    members.map(([name, member]) => [name, SECRET.test(name) ? HIDDEN : bounded(member, depth + 1)]),
  );
}
