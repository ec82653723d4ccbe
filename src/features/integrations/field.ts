import { parseBounded } from '#kernel/endpoint';
import { PayloadFault } from './faults.ts';

/** Most members of a list or object that are read; the rest is ignored. */
const MAX_LIST = 100;
/** Most characters of one text that are read. */
const MAX_TEXT = 20_000;
/**
 * Most characters that are read of a payload, counting repeated reads; each text and each member of a list counts 30
 * more. This is many times what a message may have, and takes some 10 ms, or 40 where every third character begins a
 * link.
 */
const MAX_READ = 100_000;
const EACH = 30;

/**
 * A place in a service's payload, which may be missing. Reading a missing value or one of another type gives an empty
 * result; only `need` throws.
 */
export class Field {
  readonly value: unknown;
  readonly #name: string;
  /** How much may still be read; shared by all fields of a payload. */
  readonly #left: { characters: number };

  constructor(value: unknown, name = 'payload', left = { characters: MAX_READ }) {
    this.value = value;
    this.#name = name;
    this.#left = left;
  }

  /**
   * Returns the field at a path such as `repository.owner.login`, with numbers for members of lists; the field itself
   * for an empty path.
   */
  at(path: string): Field {
    if (path === '') return this;
    const value = path.split('.').reduce(memberOf, this.value);
    return new Field(value, path, this.#left);
  }

  /** A string, number or boolean as text without control characters; empty for other types. */
  get text(): string {
    const { value } = this;
    if (typeof value === 'string') return this.#read(Math.min(value.length, MAX_TEXT)) ? clean(value) : '';
    return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? String(value) : '';
  }

  /** As `text`; throws if it is empty. */
  get need(): string {
    const { text } = this;
    if (text === '') throw new PayloadFault(`no ${this.#name}`);
    return text;
  }

  /** A number, or a text that is one. */
  get number(): number | undefined {
    const number = this.text.trim() === '' ? Number.NaN : Number(this.text);
    return Number.isFinite(number) ? number : undefined;
  }

  /** True for true and for the text "true". */
  get isTrue(): boolean {
    return this.text.toLowerCase() === 'true';
  }

  /** Whether the value is present and not null. */
  get exists(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** The first hundred members of a list. */
  get list(): readonly Field[] {
    const { value } = this;
    if (!Array.isArray(value) || !this.#read(EACH * Math.min(value.length, MAX_LIST))) return [];
    return value.slice(0, MAX_LIST).map((one: unknown) => new Field(one, this.#name, this.#left));
  }

  /** How many members a list has, including those that are not read. */
  get count(): number {
    return Array.isArray(this.value) ? this.value.length : 0;
  }

  /** The first hundred members of an object, by name. */
  get members(): readonly (readonly [string, Field])[] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value)
      .slice(0, MAX_LIST)
      .map(([name, member]: [string, unknown]) => [clean(name), new Field(member, name, this.#left)]);
  }

  /** The value of a text that contains JSON. */
  get parsed(): Field {
    const { value } = this;
    return new Field(typeof value === 'string' ? parseBounded(value)?.value : value, this.#name, this.#left);
  }

  /** Counts characters that are about to be read; false if they exceed the limit. */
  #read(characters: number): boolean {
    this.#left.characters -= characters + EACH;
    return this.#left.characters >= 0;
  }
}

/** Returns the field at a path of the payload. */
export type At = (path: string) => Field;

/** Returns the first text that is not empty. */
export function firstOf(...fields: readonly (Field | string)[]): string {
  return fields.map((field) => (typeof field === 'string' ? field : field.text)).find((text) => text !== '') ?? '';
}

/** As `firstOf`; throws if all are empty. */
export function oneOf(...fields: readonly (Field | string)[]): string {
  const text = firstOf(...fields);
  if (text === '') throw new PayloadFault('none of several fields');
  return text;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

function clean(text: string): string {
  const short = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  return short
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROL, '')
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/** Control characters, except line feeds and tabs. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;
