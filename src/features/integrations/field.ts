import { parseBounded } from '#kernel/endpoint';
import { PayloadFault } from './faults.ts';

/** Most members of a list that are looked at. */
const MAX_LIST = 100;
/** Most characters of one text that are looked at. */
const MAX_TEXT = 20_000;
/**
 * Most characters that are looked at of a payload, each as often as it is read, where every text and every member of a
 * list counts thirty besides: many times what a message holds, and some 10 ms.
 */
const MAX_READ = 150_000;
const EACH = 30;

/**
 * A place in what a service posted, there or not. Nothing that is read of it fails for being missing or of another kind,
 * except what is needed: then the payload is refused.
 */
export class Field {
  readonly value: unknown;
  readonly #name: string;
  /** What may still be read; one count for all fields of a payload. */
  readonly #left: { characters: number };

  constructor(value: unknown, name = 'payload', left = { characters: MAX_READ }) {
    this.value = value;
    this.#name = name;
    this.#left = left;
  }

  /** What stands under a path like `repository.owner.login`; members of lists by number; itself for the empty one. */
  at(path: string): Field {
    if (path === '') return this;
    const value = path.split('.').reduce(memberOf, this.value);
    return new Field(value, path, this.#left);
  }

  /** Text, number or truth as text, without control characters; empty for everything else. */
  get text(): string {
    const { value } = this;
    if (typeof value === 'string') return this.#read(Math.min(value.length, MAX_TEXT)) ? clean(value) : '';
    return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? String(value) : '';
  }

  /** As `text`, of something that must be there. */
  get need(): string {
    const { text } = this;
    if (text === '') throw new PayloadFault(`no ${this.#name}`);
    return text;
  }

  /** A number, or text that is one. */
  get number(): number | undefined {
    const number = this.text.trim() === '' ? Number.NaN : Number(this.text);
    return Number.isFinite(number) ? number : undefined;
  }

  /** Whether it is true, or text that says so. */
  get isTrue(): boolean {
    return this.text.toLowerCase() === 'true';
  }

  /** Whether it is there and not null. */
  get exists(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** Members of a list, the first hundred. */
  get list(): readonly Field[] {
    const { value } = this;
    if (!Array.isArray(value) || !this.#read(EACH * Math.min(value.length, MAX_LIST))) return [];
    return value.slice(0, MAX_LIST).map((one: unknown) => new Field(one, this.#name, this.#left));
  }

  /** How many members a list has. */
  get count(): number {
    return Array.isArray(this.value) ? this.value.length : 0;
  }

  /** Members of an object by name, the first hundred. */
  get members(): readonly (readonly [string, Field])[] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value)
      .slice(0, MAX_LIST)
      .map(([name, member]: [string, unknown]) => [clean(name), new Field(member, name, this.#left)]);
  }

  /** What a text says that is JSON itself. */
  get parsed(): Field {
    const { value } = this;
    return new Field(typeof value === 'string' ? parseBounded(value)?.value : value, this.#name, this.#left);
  }

  /** Whether so many characters more may be read. */
  #read(characters: number): boolean {
    this.#left.characters -= characters + EACH;
    return this.#left.characters >= 0;
  }
}

/** Reads a path of the payload. */
export type At = (path: string) => Field;

/** The first of several fields that says something. */
export function firstOf(...fields: readonly (Field | string)[]): string {
  return fields.map((field) => (typeof field === 'string' ? field : field.text)).find((text) => text !== '') ?? '';
}

/** As `firstOf`, where one of them must say something. */
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

/** Control characters but for line feeds and tabs. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;
