import { OWN_TABLE_PREFIX } from '#features/exports';
import { isObject } from '#kernel/text';

/** The reason why an archive is refused, in one line for the operator. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

/** Largest ID and longest text that are taken from an archive. */
const MAX_ID = 2_147_483_647;
const MAX_TEXT = 1_000_000;
/** The latest time that is accepted, in seconds since 1970. */
const MAX_TIME = 100_000_000_000;

/** Whether it is a time that is accepted, in seconds since 1970. */
export const isTime = (value: number): boolean => value >= 0 && value < MAX_TIME;

/** Most columns of a table that are looked at, and characters of the name of one that are shown. */
const MAX_FIELDS = 1000;
const MAX_SHOWN = 60;

const NUMBER = /^\d{1,12}(\.\d{1,9})?$/;

/** A lone surrogate, which no database accepts in a text. */
const LONE = /[\uD800-\uDFFF]/gu;

/** A row of an archive, which is not trusted: each value is read with the type it must have. */
export class Entry {
  readonly #list: string;
  readonly #index: number | undefined;
  readonly #value: Readonly<Record<string, unknown>>;

  /** `index`: which of a list it is; the place is written only when it is asked for, of millions of rows. */
  constructor(place: string, value: unknown, index?: number) {
    this.#list = place;
    this.#index = index;
    if (!isObject(value)) throw new ImportRefused(`${this.#place} is no object`);
    this.#value = value;
  }

  get #place(): string {
    return this.#index === undefined ? this.#list : `${this.#list}[${this.#index}]`;
  }

  get names(): Iterable<string> {
    return Object.keys(this.#value);
  }

  raw(name: string): unknown {
    return this.#get(name);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#value, name);
  }

  /** Reads own properties only, not those that every object inherits. */
  #get(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }

  id(name: string): number {
    const found = this.idOrNull(name);
    if (found === null) throw this.fault(name, 'is missing');
    return found;
  }

  /** An ID; in exports of some releases a row that holds one stands in its place. */
  idOrNull(name: string): number | null {
    const value = this.#get(name) ?? this.#get(`${name}_id`);
    if (value === null || value === undefined) return null;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > MAX_ID)
      throw this.fault(name, 'is no ID');
    return value;
  }

  int(name: string, otherwise: number): number {
    const value = this.#get(name);
    if (value === null || value === undefined) return otherwise;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw this.fault(name, 'is no whole number');
    return value;
  }

  /** Seconds since 1970; fractions are cut. */
  time(name: string, otherwise: number): number {
    return this.timeOrNull(name) ?? otherwise;
  }

  /** Products of other days write times as text. */
  timeOrNull(name: string): number | null {
    const given = this.#get(name);
    if (given === null || given === undefined) return null;
    const value = typeof given === 'string' && NUMBER.test(given) ? Number(given) : given;
    if (typeof value !== 'number' || !isTime(value)) throw this.fault(name, 'is no time');
    return Math.floor(value);
  }

  text(name: string, otherwise?: string): string {
    const value = this.#get(name);
    if ((value === null || value === undefined) && otherwise !== undefined) return otherwise;
    if (typeof value !== 'string') throw this.fault(name, 'is no text');
    if (value.length > MAX_TEXT) throw this.fault(name, 'is too long');
    return value.replaceAll('\0', '\uFFFD').replaceAll(LONE, '\uFFFD');
  }

  textOrNull(name: string): string | null {
    const value = this.#get(name);
    return value === null || value === undefined ? null : this.text(name);
  }

  bool(name: string, otherwise: boolean): boolean {
    const value = this.#get(name);
    if (value === null || value === undefined) return otherwise;
    if (typeof value !== 'boolean') throw this.fault(name, 'is neither true nor false');
    return value;
  }

  boolOrNull(name: string): boolean | null {
    return this.#get(name) === null ? null : this.bool(name, false);
  }

  list(name: string): readonly unknown[] {
    const value = this.#get(name) ?? [];
    if (!Array.isArray(value)) throw this.fault(name, 'is no list');
    return value;
  }

  /** The IDs in a list; anything else is left out. */
  ids(name: string): readonly number[] {
    return this.list(name).filter((id): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id > 0);
  }

  /** Rows within a value; a text is read as JSON. */
  parts(name: string): readonly Entry[] {
    const given = this.#get(name);
    if (given === null || given === undefined || given === '') return [];
    const value = typeof given === 'string' ? this.#parsed(name, given) : given;
    if (!Array.isArray(value)) throw this.fault(name, 'is no list');
    return value.map((part, index) => new Entry(this.placeOf(name), part, index));
  }

  #parsed(name: string, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.fault(name, 'is no JSON');
    }
  }

  fault(name: string, what: string): ImportRefused {
    return new ImportRefused(`${this.placeOf(name)} ${what}`);
  }

  /** Where a value stands, for people. */
  placeOf(name: string): string {
    return `${this.#place}: "${name}"`;
  }
}

/** The tables of one JSON file of an archive. */
export class Tables {
  readonly #file: string;
  readonly #tables: Entry;

  constructor(file: string, value: unknown) {
    this.#file = file;
    this.#tables = new Entry(file, value);
  }

  get names(): Iterable<string> {
    return this.#tables.names;
  }

  /** A text beside the tables; empty where there is none. */
  text(name: string): string {
    return this.#tables.text(name, '');
  }

  rows(name: string): readonly Entry[] {
    const beside = new Map(
      this.#tables.list(OWN_TABLE_PREFIX + name).flatMap((row) => (isKeyed(row) ? [[row.id, row]] : [])),
    );
    const place = `${this.#file}, ${name}`;
    return this.#tables.list(name).map((row, index) => {
      const more = isKeyed(row) ? beside.get(row.id) : undefined;
      return new Entry(place, more && isKeyed(row) ? { ...more, ...row } : row, index);
    });
  }

  /** Where the columns of a table stand that are none of those known, each once. */
  *fieldsBut(name: string, isKnown: (field: string) => boolean): Generator<string> {
    const seen = new Set<string>();
    for (const [index, row] of this.#tables.list(name).entries())
      for (const field of isObject(row) ? Object.keys(row) : []) {
        if (seen.has(field)) continue;
        seen.add(field);
        if (!isKnown(field)) yield `${this.#file}, ${name}[${index}]: "${field.slice(0, MAX_SHOWN)}"`;
        if (seen.size > MAX_FIELDS) return;
      }
  }

  has(name: string): boolean {
    return this.#tables.has(name);
  }

  /** Whether there is anything under a name, whatever it is. */
  hasRows(name: string): boolean {
    const value = this.#tables.raw(name);
    return !Array.isArray(value) || value.length > 0;
  }
}

function isKeyed(row: unknown): row is { readonly id: unknown } {
  return typeof row === 'object' && row !== null && 'id' in row;
}
