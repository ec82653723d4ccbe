import { badFilter } from '../fault.ts';

/** Longest filter, in characters; most comparisons in one, and deepest nesting of parentheses. */
const MAX_LENGTH = 2_000;
const MAX_TERMS = 30;
const MAX_DEPTH = 8;

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];

/** A parsed SCIM filter (RFC 7644, section 3.4.2.2). Names are in lower case and without a schema. */
export type Filter =
  | { readonly kind: 'compare'; readonly path: string; readonly operator: Operator; readonly value: Value }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'having'; readonly path: string; readonly part: Filter };
export type Value = string | number | boolean | null;

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.:-]))|([A-Za-z$][\w$:.-]*(?:\.[\w$-]+)*))/y;

/** Parses a filter; throws `invalidFilter`. Its time depends only on its length. See protocol/scim#searching. */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw badFilter('The filter is too long.');
  return new Parser(tokensOf(text)).whole();
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text);
    if (!found) throw badFilter('The filter cannot be read.');
    tokens.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;
  #terms = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  whole(): Filter {
    const filter = this.#any(0);
    if (this.#peek() !== undefined) throw badFilter('Something follows the filter.');
    return filter;
  }

  #any(depth: number): Filter {
    const parts = [this.#all(depth)];
    while (this.#takes('or')) parts.push(this.#all(depth));
    return joined('or', parts);
  }

  #all(depth: number): Filter {
    const parts = [this.#one(depth)];
    while (this.#takes('and')) parts.push(this.#one(depth));
    return joined('and', parts);
  }

  #one(depth: number): Filter {
    if (depth > MAX_DEPTH) throw badFilter('The filter is nested too deep.');
    if (this.#takes('not')) {
      if (this.#peek() !== '(') throw badFilter('"not" needs parentheses.');
      return { kind: 'not', part: this.#one(depth + 1) };
    }
    if (this.#takes('(')) return this.#closed(')', depth);
    return this.#comparison(depth);
  }

  #closed(end: string, depth: number): Filter {
    const inner = this.#any(depth + 1);
    if (!this.#takes(end)) throw badFilter(`"${end}" is missing.`);
    return inner;
  }

  #comparison(depth: number): Filter {
    if (++this.#terms > MAX_TERMS) throw badFilter('The filter has too many comparisons.');
    const name = this.#next();
    if (!/^[A-Za-z$]/.test(name)) throw badFilter('The filter needs the name of an attribute.');
    const path = attributeName(name);
    if (this.#takes('[')) return { kind: 'having', path, part: this.#closed(']', depth) };
    const word = this.#next().toLowerCase();
    if (word === 'pr') return { kind: 'present', path };
    const operator = OPERATORS.find((one) => one === word);
    if (!operator) throw badFilter('The filter has an unknown operator.');
    return { kind: 'compare', path, operator, value: valueOf(this.#next()) };
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw badFilter('The filter ends too early.');
    return token;
  }

  #takes(word: string): boolean {
    const isIt = this.#peek()?.toLowerCase() === word;
    if (isIt) this.#at++;
    return isIt;
  }
}

function joined(kind: 'and' | 'or', parts: readonly Filter[]): Filter {
  const [only, second] = parts;
  return only && !second ? only : { kind, parts };
}

/** The name of an attribute without its schema, in lower case, because case does not matter (RFC 7643, section 2.1). */
export function attributeName(name: string): string {
  return name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '').toLowerCase();
}

/** Number of comparisons that a filter makes with each value. */
export function termsOf(filter: Filter): number {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.parts.reduce((sum, part) => sum + termsOf(part), 0);
  return filter.kind === 'not' || filter.kind === 'having' ? termsOf(filter.part) : 1;
}

const WORDS = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function valueOf(token: string): Value {
  const word = WORDS.get(token.toLowerCase());
  if (word !== undefined) return word;
  try {
    const value: unknown = JSON.parse(token);
    if (typeof value === 'string' || typeof value === 'number') return value;
  } catch {
    // Said below.
  }
  throw badFilter('The filter has a value that cannot be read.');
}
