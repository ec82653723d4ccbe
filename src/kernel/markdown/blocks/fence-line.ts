import { unitAt } from '../characters.ts';

/** A line that opens or closes a fence (protocol/markdown#fences). */
export interface FenceLine {
  /** The run of backticks or tildes, which only an equal run closes. */
  readonly run: string;
  /** The word behind the run, or "" for a bare fence. */
  readonly word: string;
  readonly header: string;
}

const fence = /^(~{3,}|`{3,}) *(?:\{?\.?([a-zA-Z0-9_+\-.,/#]+)\}? *([^ ~`][^~`]*)?)?$/;

/** Reads a line as a fence, or gives undefined when any part of it does not fit. */
export function parseFenceLine(line: string): FenceLine | undefined {
  const first = unitAt(line, 0);
  if (first !== 96 && first !== 126) return undefined;
  // Behind the run neither mark may follow. Without them the pattern needs no second try; with one at the end of a long
  // line it would try every length of the word.
  let end = 1;
  while (unitAt(line, end) === first) end++;
  if (end < 3 || line.includes('`', end) || line.includes('~', end)) return undefined;
  const match = fence.exec(line);
  return match ? { run: match[1] ?? '', word: match[2] ?? '', header: (match[3] ?? '').trim() } : undefined;
}
