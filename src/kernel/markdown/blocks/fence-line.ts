import { unitAt } from '../characters.ts';

/** A line that opens or closes a fence (protocol/markdown#fences). */
export interface FenceLine {
  /** The run of backticks or tildes; the closing fence must have the same. */
  readonly run: string;
  /** The word after the run, or "" if there is none. */
  readonly word: string;
  readonly header: string;
}

const fence = /^(~{3,}|`{3,}) *(?:\{?\.?([a-zA-Z0-9_+\-.,/#]+)\}? *([^ ~`][^~`]*)?)?$/;

/** Parses a line as a fence; undefined if it is not one. */
export function parseFenceLine(line: string): FenceLine | undefined {
  const first = unitAt(line, 0);
  if (first !== 96 && first !== 126) return undefined;
  // Neither character may follow the run. This check lets the pattern fail early; otherwise it would try every length
  // of the word on a long line.
  let end = 1;
  while (unitAt(line, end) === first) end++;
  if (end < 3 || line.includes('`', end) || line.includes('~', end)) return undefined;
  const match = fence.exec(line);
  return match ? { run: match[1] ?? '', word: match[2] ?? '', header: (match[3] ?? '').trim() } : undefined;
}
