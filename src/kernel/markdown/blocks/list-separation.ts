import { unitAt } from '../characters.ts';
import { parseFenceLine } from './fence-line.ts';
import { indentOf } from './indentation.ts';

interface OpenFence {
  readonly run: string;
  readonly isCode: boolean;
}

/** Inserts an empty line between a line of text and a list item below it, and between items of different kinds. */
export function separateLists(lines: readonly string[]): readonly string[] {
  let separated: string[] | undefined;
  const fences = new Fences();
  let above = '';
  let aboveMark = 0;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const mark = markLength(line);
    if (mark > 0 && mark !== aboveMark && above !== '' && !fences.insideCode) {
      separated ??= lines.slice(0, index);
      separated.push('');
    }
    separated?.push(line);
    fences.read(line);
    above = line;
    aboveMark = mark;
  }
  return separated ?? lines;
}

/**
 * Length of a bullet, or of one digit and a dot; 0 for text. Numbers of two digits count as text here, too
 * (protocol/markdown#lists).
 */
function markLength(line: string): number {
  const start = indentOf(line);
  const unit = unitAt(line, start);
  const isDigit = unit >= 48 && unit <= 57 && unitAt(line, start + 1) === 46;
  const length = isDigit ? 2 : unit === 42 || unit === 43 || unit === 45 ? 1 : 0;
  return unitAt(line, start + length) === 32 ? length : 0;
}

/** Tracks open fences; all except quotes count as code. */
class Fences {
  #open: OpenFence[] = [];
  #openCode = 0;

  get insideCode(): boolean {
    return this.#openCode > 0;
  }

  read(line: string): void {
    const fence = parseFenceLine(line);
    if (!fence) return;
    const innermost = this.#open.at(-1);
    if (fence.word === '' && innermost?.run === fence.run) {
      this.#open.pop();
      if (innermost.isCode) this.#openCode--;
      return;
    }
    const isCode = fence.word !== 'quote' && fence.word !== 'quoted';
    this.#open.push({ run: fence.run, isCode });
    if (isCode) this.#openCode++;
  }
}
