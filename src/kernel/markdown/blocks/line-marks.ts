import { unitAt } from '../characters.ts';
import { indentOf } from './indentation.ts';

/** Lines with this many leading spaces do not interrupt a block. */
const TOO_DEEP = 4;

/**
 * Whether a line is a horizontal rule: three or more of the same `-`, `_` or `*`
 * (protocol/markdown#headings-and-rules).
 */
export function isRule(line: string): boolean {
  const indent = indentOf(line, TOO_DEEP);
  const mark = unitAt(line, indent);
  if (indent === TOO_DEEP || (mark !== 45 && mark !== 95 && mark !== 42)) return false;
  let marks = 0;
  let spaces = 0;
  for (let index = indent; index < line.length; index++) {
    const unit = unitAt(line, index);
    if (unit === mark) {
      if (spaces > 2) return false;
      marks++;
      spaces = 0;
    } else if (unit === 32) spaces++;
    else return false;
  }
  return marks >= 3;
}

/** Whether a line begins a quote: at most three spaces, then `>` (protocol/markdown#quotes). */
export function isQuote(line: string): boolean {
  const indent = indentOf(line, TOO_DEEP);
  return indent < TOO_DEEP && unitAt(line, indent) === 62;
}

/** Whether a line is a quote mark without content. */
function isEmptyQuote(line: string): boolean {
  return line.trim() === '>' && isQuote(line);
}

const whitespace = /\s/;

/** Counts the `#` of a heading, which white space or the line end must follow; 0 for every other line. */
export function headingLevel(line: string): number {
  let level = 0;
  while (unitAt(line, level) === 35) level++;
  if (level === 0 || level > 6) return 0;
  const isHeading = level === line.length || unitAt(line, level) === 32 || whitespace.test(line.charAt(level));
  return isHeading ? level : 0;
}

const NOWHERE = Number.POSITIVE_INFINITY;
const HEADING = 1;
const RULE = 2;
const QUOTE = 4;

/**
 * Caches which lines interrupt a block. The rest of a block shares the cache, so that many headings or rules in one
 * block are found in one pass.
 */
export class LineMarks {
  readonly #lines: readonly string[];
  #heading: number;
  #rule: number;
  #quote: number;
  #quotesEnd = -1;
  /** The last line with a quote mark; -1 if there is none. */
  readonly lastQuote: number;

  constructor(lines: readonly string[], kinds: number, lastQuote: number) {
    this.#lines = lines;
    this.lastQuote = lastQuote;
    this.#heading = kinds & HEADING ? -1 : NOWHERE;
    this.#rule = kinds & RULE ? -1 : NOWHERE;
    this.#quote = kinds & QUOTE ? -1 : NOWHERE;
  }

  /** Returns the first heading at `from` or later; Infinity if there is none. */
  heading(from: number): number {
    if (this.#heading < from) this.#heading = first(this.#lines, from, beginsHeading);
    return this.#heading;
  }

  /** Returns the first horizontal rule at `from` or later. */
  rule(from: number): number {
    if (this.#rule < from) this.#rule = first(this.#lines, from, isRule);
    return this.#rule;
  }

  /** Returns the first quote line at `from` or later, unless only empty quote lines follow. */
  quote(from: number): number {
    if (this.#quote < from) this.#quote = first(this.#lines, from, isQuote);
    if (this.#quote === NOWHERE) return this.#quote;
    if (this.#quotesEnd === -1) this.#quotesEnd = endOfFilled(this.#lines);
    return this.#quote < this.#quotesEnd ? this.#quote : NOWHERE;
  }
}

/** The shared object of blocks that no line interrupts, which are most. */
export const NO_MARKS = new LineMarks([], 0, -1);

/** Checks each line before `end` once; later searches look only for the kinds that were found. */
export function lineMarks(lines: readonly string[], end = lines.length): LineMarks {
  let kinds = 0;
  let lastQuote = -1;
  for (let index = 0; index < end; index++) {
    const kind = kindOf(lines[index] ?? '');
    if (kind === QUOTE) lastQuote = index;
    kinds |= kind;
  }
  return kinds === 0 ? NO_MARKS : new LineMarks(lines, kinds, lastQuote);
}

/** The kind of interruption that a line may be, as a bit; 0 for most lines. */
function kindOf(line: string): number {
  const unit = unitAt(line, indentOf(line, TOO_DEEP));
  if (unit === 35) return HEADING;
  if (unit === 62) return QUOTE;
  return (unit === 45 || unit === 95 || unit === 42) && isRule(line) ? RULE : 0;
}

type Test = (line: string, lines: readonly string[], index: number) => boolean;

function first(lines: readonly string[], from: number, begins: Test): number {
  for (let index = from; index < lines.length; index++) if (begins(lines[index] ?? '', lines, index)) return index;
  return NOWHERE;
}

/** Index at which the empty quote lines at the end begin. */
function endOfFilled(lines: readonly string[]): number {
  let end = lines.length;
  while (end > 0 && isEmptyQuote(lines[end - 1] ?? '')) end--;
  return end;
}

/** If a line has only marks, the next line is the title. */
function beginsHeading(line: string, lines: readonly string[], index: number): boolean {
  const level = headingLevel(line);
  return level > 0 && (level < line.length || index + 1 < lines.length);
}
