import { isSpace, unitAt } from '../characters.ts';

/** A link `[text](address "title")`. */
export interface BracketLink {
  readonly text: string;
  readonly address: string;
  readonly title: string | undefined;
  /** Index after the closing bracket. */
  readonly end: number;
}

/** Length up to which the content of round brackets is always read. */
const LONG = 300;
/**
 * Longer contents are read as long as their total is below this multiple of the text's length. Adjacent links cannot
 * exceed it; only nested brackets, which are not links, can.
 */
const PATIENCE = 4;
const NOWHERE = -1;

/** Finds links in square and round brackets. One pass finds the partners of all brackets. */
export class Brackets {
  readonly #source: string;
  readonly #pairs: Pairs;
  /** Number of the first bracket that was not read yet. */
  #next = 0;
  #patience: number;

  constructor(source: string) {
    this.#source = source;
    this.#pairs = pairs(source);
    this.#patience = PATIENCE * source.length;
  }

  /**
   * Returns the link whose text opens at `open`; undefined if there is none. Must be called with increasing indexes.
   */
  read(open: number): BracketLink | undefined {
    const { opens, closes, ends } = this.#pairs;
    while ((opens[this.#next] ?? open) < open) this.#next++;
    const close = closes[this.#next] ?? NOWHERE;
    if (close === NOWHERE || unitAt(this.#source, close + 1) !== 40) return undefined;
    const text = this.#source.slice(open + 1, close);
    return this.#angled(text, close + 2) ?? this.#plain(text, close + 2, ends[this.#next] ?? NOWHERE);
  }

  /** Reads `(<address> "title")`; the address may contain anything but angle brackets. */
  #angled(text: string, start: number): BracketLink | undefined {
    if (unitAt(this.#source, start) !== 60) return undefined;
    const match = angled(this.#source, start);
    return match && { text, ...match };
  }

  #plain(text: string, start: number, close: number): BracketLink | undefined {
    if (close === NOWHERE) return undefined;
    if (close - start > LONG && (this.#patience -= close - start) < 0) return undefined;
    const inner = this.#source.slice(start, close);
    const quoted = titleAtEnd(inner);
    if (quoted) return { text, ...quoted, end: close + 1 };
    return this.#overlong(text, inner, close) ?? { text, address: inner, title: undefined, end: close + 1 };
  }

  /**
   * Reads a title that contains a closing bracket: it extends to the next matching quote, which a bracket must follow.
   */
  #overlong(text: string, inner: string, close: number): BracketLink | undefined {
    const opening = firstQuote(inner);
    const closing = opening === -1 ? -1 : this.#source.indexOf(inner.charAt(opening), close);
    if (closing === -1) return undefined;
    const end = skipSpace(this.#source, closing + 1);
    const match = unitAt(this.#source, end) === 41 ? openTitle.exec(inner) : null;
    if (!match) return undefined;
    const [, address = '', start = ''] = match;
    return { text, address, title: start + this.#source.slice(close, closing), end: end + 1 };
  }
}

const openTitle = /^([^\s"']*)\s+["']([^"']*)$/;

/** Returns the index of the first quote of either kind; -1 if there is none. */
function firstQuote(text: string): number {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 34 || unit === 39) return index;
  }
  return -1;
}

/** A quoted text directly before the closing bracket is the title. */
function titleAtEnd(inner: string): { address: string; title: string } | undefined {
  const end = inner.trimEnd().length - 1;
  const quote = inner.charAt(end);
  if (quote !== '"' && quote !== "'") return undefined;
  const first = inner.indexOf(quote);
  return first < end ? { address: inner.slice(0, first), title: inner.slice(first + 1, end) } : undefined;
}

function angled(source: string, start: number): Omit<BracketLink, 'text'> | undefined {
  let index = start + 1;
  while (index < source.length && !'<>'.includes(source.charAt(index))) index++;
  if (source.charAt(index) !== '>') return undefined;
  const address = source.slice(start + 1, index);
  index = skipSpace(source, index + 1);
  const quote = source.charAt(index);
  if (quote !== '"' && quote !== "'")
    return source.charAt(index) === ')' ? { address, title: undefined, end: index + 1 } : undefined;
  const closing = source.indexOf(quote, index + 1);
  const end = skipSpace(source, closing + 1);
  if (closing === -1 || source.charAt(end) !== ')') return undefined;
  return { address, title: source.slice(index + 1, closing), end: end + 1 };
}

function skipSpace(source: string, from: number): number {
  let index = from;
  while (index < source.length && isSpace(source.charCodeAt(index))) index++;
  return index;
}

/**
 * For each opening square bracket, in order: its index, that of its partner, and that of the round bracket that closes
 * the address.
 */
interface Pairs {
  readonly opens: number[];
  readonly closes: number[];
  readonly ends: number[];
}

/** Pairs all brackets in one pass; unmatched closing brackets are ignored. */
function pairs(source: string): Pairs {
  const [opens, closes, ends]: [number[], number[], number[]] = [[], [], []];
  const [square, round]: [number[], number[]] = [[], []];
  // Number of the square bracket that was closed by the previous character.
  let behind = NOWHERE;
  for (let index = 0; index < source.length; index++) {
    const unit = source.charCodeAt(index);
    if (unit === 91) {
      square.push(opens.push(index) - 1);
      closes.push(NOWHERE);
      ends.push(NOWHERE);
    } else if (unit === 93) {
      behind = square.pop() ?? NOWHERE;
      if (behind !== NOWHERE) closes[behind] = index;
      continue;
    } else if (unit === 40) round.push(behind);
    else if (unit === 41) {
      const partner = round.pop() ?? NOWHERE;
      if (partner !== NOWHERE) ends[partner] = index;
    }
    behind = NOWHERE;
  }
  return { opens, closes, ends };
}
