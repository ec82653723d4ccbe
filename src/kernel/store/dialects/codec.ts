import { type Codec, codecOf } from '../table.ts';

type Row = Record<string, unknown>;

/**
 * A parameter, or each of a list of them, as both databases take it. PostgreSQL's text holds no NUL, so none is ever
 * stored, and what is looked up by one is not there: it stands as the replacement character.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  // A list is all text or all numbers.
  return Array.isArray(value) && typeof value[0] === 'string' ? value.map(storable) : value;
}

/** Decodes the rows of one statement in place; which columns need it is found once, from the first row. */
export class RowDecoder {
  #columns: readonly string[] | undefined;

  /** Booleans come as they are; JSON comes as text. */
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

/** Makes the rows of one statement of the lists of their values: faster than a driver that names each value. */
export class RowMaker {
  readonly #columns: readonly (readonly [name: string, codec: Codec])[];
  /** Every row begins as a copy, so that all have one shape from the start. */
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

/**
 * JSON that is broken is no value: one row that cannot be read keeps nobody from the others of a list (security#holes,
 * row 39).
 */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
