import { unitAt } from '../characters.ts';

/** Columns of one level of a list. */
const LEVEL = 2;

/** Counts the leading spaces of a line, up to `most`. */
export function indentOf(line: string, most = line.length): number {
  const end = Math.min(most, line.length);
  let indent = 0;
  while (indent < end && line.charCodeAt(indent) === 32) indent++;
  return indent;
}

/** Levels of indentation of a line: 2 spaces each. */
export function levelOf(line: string): number {
  return Math.floor(indentOf(line) / LEVEL);
}

/** Removes `levels` of indentation from each line that has so much; others stay the same. */
export function detab(lines: readonly string[], levels: number): string[] {
  return lines.map((line) => detabLine(line, levels));
}

/** The same for one line. */
export function detabLine(line: string, levels: number): string {
  const margin = levels * LEVEL;
  return indentOf(line, margin) === margin ? line.slice(margin) : line;
}

const TAB_STOP = 4;

/** Normalizes line ends to LF, and removes the two control characters that delimit tokens. */
export function normalizeLineEnds(text: string): string {
  const plain = text.includes('\u0002') || text.includes('\u0003') ? text.replace(/\p{Cc}/gu, unmarked) : text;
  return plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain;
}

function unmarked(character: string): string {
  return character === '\u0002' || character === '\u0003' ? '' : character;
}

/** Replaces a line of only spaces by an empty one. */
export function emptyBlank(line: string): string {
  return unitAt(line, 0) === 32 && indentOf(line) === line.length ? '' : line;
}

/** Replaces tabs by spaces up to the next multiple of four columns, counted in code points. */
export function expandTabs(line: string): string {
  let column = 0;
  let expanded = '';
  for (const character of line) {
    const width = character === '\t' ? TAB_STOP - (column % TAB_STOP) : 1;
    expanded += character === '\t' ? ' '.repeat(width) : character;
    column += width;
  }
  return expanded;
}
