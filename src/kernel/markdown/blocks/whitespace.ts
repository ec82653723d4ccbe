import { unitAt } from '../characters.ts';
import { indentOf } from './indentation.ts';

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
