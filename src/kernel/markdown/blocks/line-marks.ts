import { unitAt } from '../characters.ts';
import { indentOf } from './indentation.ts';

/** Spaces before which nothing interrupts a block. */
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

/** Whether a line is a quote mark with nothing behind it. */
function isEmptyQuote(line: string): boolean {
  return line.trim() === '>' && isQuote(line);
}

const whitespace = /\s/;

/** How many `#` stand before the white space or the end of a line that begins a heading; 0 on every other line. */
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
 * Remembers where the lines that interrupt a block are. A block that a rule hands back shares the lines of the whole,
 * so that many headings or rules in one block are found in one walk.
 */
export class LineMarks {
  readonly #lines: readonly string[];
  #heading: number;
  #rule: number;
  #quote: number;
  #quotesEnd = -1;
  /** Behind this line no quote mark stands; -1 when there is none at all. */
  readonly lastQuote: number;

  constructor(lines: readonly string[], kinds: number, lastQuote: number) {
    this.#lines = lines;
    this.lastQuote = lastQuote;
    this.#heading = kinds & HEADING ? -1 : NOWHERE;
    this.#rule = kinds & RULE ? -1 : NOWHERE;
    this.#quote = kinds & QUOTE ? -1 : NOWHERE;
  }

  /** The first line at `from` or later that begins a heading; Infinity when none does. */
  heading(from: number): number {
    if (this.#heading < from) this.#heading = first(this.#lines, from, beginsHeading);
    return this.#heading;
  }

  /** The first horizontal rule at `from` or later. */
  rule(from: number): number {
    if (this.#rule < from) this.#rule = first(this.#lines, from, isRule);
    return this.#rule;
  }

  /** The first quote line at `from` or later that has something other than empty quote lines from it on. */
  quote(from: number): number {
    if (this.#quote < from) this.#quote = first(this.#lines, from, isQuote);
    if (this.#quote === NOWHERE) return this.#quote;
    if (this.#quotesEnd === -1) this.#quotesEnd = endOfFilled(this.#lines);
    return this.#quote < this.#quotesEnd ? this.#quote : NOWHERE;
  }
}

/** The marks of all blocks that certainly no line interrupts, which are most. */
export const NO_MARKS = new LineMarks([], 0, -1);

/** Looks at each line before `end` once; afterwards only what is there is looked for. */
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

/** What a line may begin, as a bit: 0, nothing, for most lines. */
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

/** Where the empty quote lines begin that end a block. */
function endOfFilled(lines: readonly string[]): number {
  let end = lines.length;
  while (end > 0 && isEmptyQuote(lines[end - 1] ?? '')) end--;
  return end;
}

/** Marks alone take the next line as their title. */
function beginsHeading(line: string, lines: readonly string[], index: number): boolean {
  const level = headingLevel(line);
  return level > 0 && (level < line.length || index + 1 < lines.length);
}
