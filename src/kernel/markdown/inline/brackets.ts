import { isSpace, unitAt } from '../characters.ts';

/** The parts of `[text](address "title")`, as positions in the text. */
export interface BracketLink {
  readonly text: string;
  readonly address: string;
  readonly title: string | undefined;
  /** Behind the closing bracket of the address. */
  readonly end: number;
}

/** Characters between round brackets that may be looked at in every link. */
const LONG = 300;
/**
 * Longer ones are looked at as long as they are not more than so many texts together. Links stand one behind the other,
 * so even all of them are no more than one; only brackets that hold each other, and are no links, come to more.
 */
const PATIENCE = 4;
const NOWHERE = -1;

/** Finds links in square and round brackets. Partners of all brackets are known after one walk. */
export class Brackets {
  readonly #source: string;
  readonly #pairs: Pairs;
  /** The first bracket that has not been asked for. */
  #next = 0;
  #patience: number;

  constructor(source: string) {
    this.#source = source;
    this.#pairs = pairs(source);
    this.#patience = PATIENCE * source.length;
  }

  /** Reads the link whose text opens at `open`; undefined when there is none. To be asked from left to right. */
  read(open: number): BracketLink | undefined {
    const { opens, closes, ends } = this.#pairs;
    while ((opens[this.#next] ?? open) < open) this.#next++;
    const close = closes[this.#next] ?? NOWHERE;
    if (close === NOWHERE || unitAt(this.#source, close + 1) !== 40) return undefined;
    const text = this.#source.slice(open + 1, close);
    return this.#angled(text, close + 2) ?? this.#plain(text, close + 2, ends[this.#next] ?? NOWHERE);
  }

  /** `(<address> "title")`: anything but angle brackets between them. */
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

  /** A title that begins inside the brackets and holds one itself: it goes on to its quote and a bracket behind it. */
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

/** Where the first quote of either kind stands; -1 when there is none. */
function firstQuote(text: string): number {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 34 || unit === 39) return index;
  }
  return -1;
}

/** A quoted string directly before the closing bracket is the title. */
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

/** Where square brackets open, in order, and where each of them is closed, with the round one directly behind it. */
interface Pairs {
  readonly opens: number[];
  readonly closes: number[];
  readonly ends: number[];
}

/** Finds the partners of all brackets in one walk. A closing bracket without partner is passed over. */
function pairs(source: string): Pairs {
  const [opens, closes, ends]: [number[], number[], number[]] = [[], [], []];
  const [square, round]: [number[], number[]] = [[], []];
  // Of the square bracket that was closed just before, its number.
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
