import { indexOfUnit, unitAt } from '../characters.ts';
import { type TickRun, TickRuns } from '../tick-runs.ts';

/** The characters of a table's separator line; the hyphen is the last, because they make a class of a pattern. */
export const SEPARATOR_CHARACTERS = '|: -';

const separator = new RegExp(`^[${SEPARATOR_CHARACTERS}]*$`);

/** Whether a line separates the header of a table. One of a single column needs outer pipes. */
export function isSeparator(line: string): boolean {
  return line.includes('|') && separator.test(line);
}

/** Reads the cells of a row one by one, without an array: there are many rows with few cells each. */
export class Cells {
  readonly #row: string;
  /** Positions of the pipes that separate cells; undefined if all pipes do. */
  readonly #pipes: readonly number[] | undefined;
  #read = 0;
  #start = 0;

  /** `row` is without its outer pipes. */
  constructor(row: string) {
    this.#row = row;
    this.#pipes = row.includes('`') || row.includes('\\') ? pipesOf(row) : undefined;
  }

  /** Returns the next cell; undefined after the last one. */
  next(): string | undefined {
    if (this.#start > this.#row.length) return undefined;
    const pipe = this.#nextPipe();
    const end = pipe === -1 ? this.#row.length : pipe;
    const cell = this.#row.slice(this.#start, end);
    this.#start = end + 1;
    return cell;
  }

  #nextPipe(): number {
    if (this.#pipes) return this.#pipes[this.#read++] ?? -1;
    return indexOfUnit(this.#row, PIPE, this.#start);
  }
}

/** Splits a row at its pipes, except those in inline code or after a backslash (protocol/markdown#tables). */
export function splitRow(row: string): string[] {
  const cells = new Cells(row);
  const all: string[] = [];
  for (let cell = cells.next(); cell !== undefined; cell = cells.next()) all.push(cell);
  return all;
}

/**
 * Returns the positions of the pipes that separate cells. A backslash escapes a pipe, another backslash, or the first
 * backtick of a run.
 */
function pipesOf(row: string): number[] {
  const pipes: number[] = [];
  const runs: TickRun[] = [];
  for (let index = 0; index < row.length; index++) {
    const unit = row.charCodeAt(index);
    if (unit === PIPE) pipes.push(index);
    else if (unit === BACKSLASH && isEscapable(unitAt(row, index + 1))) index++;
    else if (unit === BACKTICK) {
      const start = index;
      while (unitAt(row, index + 1) === BACKTICK) index++;
      runs.push({ index: start, length: index + 1 - start });
    }
  }
  return runs.length === 0 ? pipes : outsideCode(pipes, runs);
}

const PIPE = 124;
const BACKSLASH = 92;
const BACKTICK = 96;

function isEscapable(unit: number): boolean {
  return unit === PIPE || unit === BACKSLASH || unit === BACKTICK;
}

function outsideCode(pipes: readonly number[], runs: readonly TickRun[]): number[] {
  const finder = new TickRuns(runs);
  const spans: { start: number; end: number }[] = [];
  let end = -1;
  for (const run of runs) {
    if (run.index < end) continue;
    const closing = finder.find(run.length, run.index + run.length);
    if (!closing) continue;
    end = closing.index + closing.length;
    spans.push({ start: run.index, end });
  }
  let next = 0;
  return pipes.filter((pipe) => {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= pipe) next++;
    return (spans[next]?.start ?? Number.POSITIVE_INFINITY) > pipe;
  });
}
