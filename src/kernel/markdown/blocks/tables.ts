import { unitAt } from '../characters.ts';
import { type Element, element, NO_ATTRIBUTES, plainElement, run } from '../tree.ts';
import { linesOf, type Rule } from './block.ts';
import { indentOf } from './indentation.ts';
import { splitRow } from './table-rows.ts';

const separator = /^[|:\- ]*$/;
/** Without a pipe it would be the separator of one column, whose borders are missing. */
function isSeparator(line: string): boolean {
  return line.includes('|') && separator.test(line);
}

const endBorder = /(?<!\\)(?:\\\\)*\|$/;

/** A wide header over many rows would fill a page with empty cells; a table with more cells than this stays text. */
const MAX_CELLS = 10_000;

/** A block whose first two lines are a header and a separator; every further line is a row (contract 1.8). */
export const tables: Rule = (parent, block) => {
  const second = block.lines[block.from + 1];
  if (second === undefined || block.from + 1 >= block.to || !isSeparator(second)) return undefined;
  const cells = cellsOf(trimSpaces(block.lines[block.from] ?? ''));
  const dividers = cellsOf(trimSpaces(second));
  if (cells.length < 2 && !hasBorder(second)) return undefined;
  if (cells.length !== dividers.length || cells.length * (block.to - block.from) > MAX_CELLS) return undefined;
  const rows = linesOf(block).map(trimSpaces);
  if (cells.length < 2 && !rows.every(hasBorder)) return undefined;
  const body = rows.slice(2);
  const style = dividers.map(alignment);
  parent.children.push(
    plainElement('table', [
      plainElement('thead', [row('th', cells, style)]),
      plainElement(
        'tbody',
        (body.length > 0 ? body : ['']).map((line) => row('td', cellsOf(line), style)),
      ),
    ]),
  );
  return null;
};

function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && unitAt(line, end - 1) === 32) end--;
  return line.slice(Math.min(indentOf(line), end), end);
}

function hasBorder(line: string): boolean {
  return unitAt(line, 0) === 124 || endsWithBorder(line);
}

function endsWithBorder(line: string): boolean {
  const last = line.length - 1;
  return unitAt(line, last) === 124 && (unitAt(line, last - 1) !== 92 || endBorder.test(line));
}

function cellsOf(line: string): string[] {
  const inner = line.startsWith('|') ? line.slice(1) : line;
  return splitRow(endsWithBorder(inner) ? inner.slice(0, -1) : inner);
}

function alignment(divider: string): string | undefined {
  const mark = divider.trim();
  if (mark.startsWith(':')) return mark.endsWith(':') && mark.length > 1 ? 'center' : 'left';
  return mark.endsWith(':') ? 'right' : undefined;
}

/** Missing cells are empty, extra ones dropped. */
function row(
  tag: 'th' | 'td',
  cells: readonly string[],
  style: readonly (string | undefined)[],
): Element {
  return plainElement(
    'tr',
    style.map((align, index) => {
      const text = (cells[index] ?? '').trim();
      const attributes = align ? { style: `text-align: ${align};` } : NO_ATTRIBUTES;
      return element(tag, attributes, text === '' ? [] : [run(text)]);
    }),
  );
}
