import { type Codec, codecOf } from '../table.ts';

type Row = Record<string, unknown>;

/**
 * Encodes a parameter, or each of a list, for both databases. PostgreSQL's texts cannot contain NUL, so it is replaced
 * by the replacement character; a search for it then finds nothing.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  // Lists contain either texts or numbers, so the first element decides.
  return Array.isArray(value) && typeof value[0] === 'string' ? value.map(storable) : value;
}

/** Decodes the rows of one statement in place. Which columns need it is determined from the first row. */
export class RowDecoder {
  #columns: readonly string[] | undefined;

  /** The driver returns booleans decoded, and JSON as text. */
  decode(rows: Row[]): Row[] {
    const first = rows[0];
    if (!first) return rows;
    this.#columns ??= Object.keys(first).filter((column) => codecOf(column) === 'json');
    for (const column of this.#columns) {
      for (const row of rows) row[column] = decodeValue(row[column], 'json');
    }
    return rows;
  }
}

/** Builds the rows of one statement from lists of values, which is faster than having the driver name each value. */
export class RowMaker {
  readonly #columns: readonly (readonly [name: string, codec: Codec])[];
  /** Rows are copies of this object, so that all have the same shape from the start. */
  readonly #blank: Row;

  constructor(columns: readonly string[]) {
    this.#columns = columns.map((name) => [name, codecOf(name)]);
    this.#blank = Object.fromEntries(columns.map((name) => [name, null]));
  }

  make(lists: readonly unknown[][]): Row[] {
    return lists.map((values) => this.#row(values));
  }

  #row(values: readonly unknown[]): Row {
    const row = { ...this.#blank };
    let index = 0;
    for (const [name, codec] of this.#columns) row[name] = decodeValue(values[index++], codec);
    return row;
  }
}

function decodeValue(value: unknown, codec: Codec): unknown {
  if (codec === 'plain' || value === null) return value;
  if (codec === 'bool') return typeof value === 'boolean' ? value : value !== 0;
  return typeof value === 'string' ? parsed(value) : value;
}

/** Invalid JSON becomes null, so that one damaged row does not fail a whole list (security#holes, row 39). */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
