// Splits the state into pieces that each take a few milliseconds to write and to read: ten thousand channels at once
// take a tenth of a second, in which the page does not react to keys.
import { isRecord } from '../api/index.ts';

/** Most entries of a list or a record in one piece. */
const MOST = 250;
/** Depth to which long lists are split: lists of unread messages are nested in records. */
const DEEPEST = 2;

/** A part of the state and where it belongs. */
export interface StatePart {
  /** Keys that lead to it, from the outermost. */
  readonly path: readonly string[];
  readonly part: unknown;
}

export function piecesOf(value: unknown, path: readonly string[] = []): readonly StatePart[] {
  if (Array.isArray(value) && value.length > MOST) return chunks(value).map((part) => ({ path, part }));
  if (!isRecord(value)) return [{ path, part: value }];
  const entries = Object.entries(value);
  const isBig = ([, inner]: readonly [string, unknown]) => path.length < DEEPEST && hasMany(inner, path.length + 1);
  const small = chunks(entries.filter((entry) => !isBig(entry))).map((part) => ({
    path,
    part: Object.fromEntries(part),
  }));
  const big = entries.filter(isBig).flatMap(([key, inner]) => piecesOf(inner, [...path, key]));
  return small.length === 0 && big.length === 0 ? [{ path, part: {} }] : [...small, ...big];
}

function hasMany(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.length > MOST;
  if (!isRecord(value)) return false;
  const inner = Object.values(value);
  return inner.length > MOST || (depth < DEEPEST && inner.some((one) => hasMany(one, depth + 1)));
}

function chunks<T>(list: readonly T[]): readonly (readonly T[])[] {
  const made: (readonly T[])[] = [];
  for (let from = 0; from < list.length; from += MOST) made.push(list.slice(from, from + MOST));
  return made;
}

/** Joins pieces to the original value. */
export function joined(pieces: readonly StatePart[]): unknown {
  let whole: unknown;
  for (const { path, part } of pieces) whole = withPart(whole, path, part);
  return whole;
}

/** May modify its argument, which was created here. */
function withPart(known: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key !== undefined) {
    const around = isRecord(known) ? known : {};
    return Object.assign(around, { [key]: withPart(around[key], rest, part) });
  }
  if (Array.isArray(known) && Array.isArray(part)) {
    for (const one of part) known.push(one);
    return known;
  }
  return isRecord(known) && isRecord(part) ? Object.assign(known, part) : part;
}
