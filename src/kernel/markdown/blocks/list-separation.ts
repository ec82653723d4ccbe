import { parseFenceLine } from './fence-line.ts';

/** A bullet, or one single digit and a dot; two digits do not make a list hang off text (contract 1.4). */
const item = /^ *([*+-]|\d\.) +/;

interface OpenFence {
  readonly run: string;
  readonly isCode: boolean;
}

/** Puts an empty line between a line of text and a list item below it, and between items of different kind. */
export function separateLists(lines: readonly string[]): string[] {
  const separated: string[] = [];
  const fences = new Fences();
  for (const [index, line] of lines.entries()) {
    separated.push(line);
    fences.read(line);
    const next = lines[index + 1];
    if (next !== undefined && line !== '' && !fences.insideCode && hangsOff(line, next)) separated.push('');
  }
  return separated;
}

function hangsOff(line: string, next: string): boolean {
  const below = item.exec(next);
  if (!below) return false;
  const above = item.exec(line);
  return !above || above[1]?.length !== below[1]?.length;
}

/** Keeps the open fences; only those of quotes count as text. */
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
