import { unitAt } from '../characters.ts';

/** Columns of one level of a list. */
const LEVEL = 2;

/** Number of spaces a line begins with. Counting stops behind `most`, for callers that treat larger numbers alike. */
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

/** Takes `levels` of indentation from each line; lines with less keep what they have. */
export function detab(lines: readonly string[], levels: number): string[] {
  return lines.map((line) => detabLine(line, levels));
}

/** The same for one line. */
export function detabLine(line: string, levels: number): string {
  const margin = levels * LEVEL;
  return indentOf(line, margin) === margin ? line.slice(margin) : line;
}

const TAB_STOP = 4;

/** Line ends as LF, and none of the two marks that tokens are made of. */
export function normalizeLineEnds(text: string): string {
  const plain = text.includes('\u0002') || text.includes('\u0003') ? text.replace(/\p{Cc}/gu, unmarked) : text;
  return plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain;
}

function unmarked(character: string): string {
  return character === '\u0002' || character === '\u0003' ? '' : character;
}

/** A line of only spaces becomes empty. */
export function emptyBlank(line: string): string {
  return unitAt(line, 0) === 32 && indentOf(line) === line.length ? '' : line;
}

/** A line with tabs as spaces up to 4-column stops counted in code points. */
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
