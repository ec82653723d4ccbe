import { unitAt } from '../characters.ts';
import { type Attributes, type Element, element, NO_ATTRIBUTES, plainElement, sourceText } from '../tree.ts';
import { linesOf, type Rule, type TextBlock } from './block.ts';
import { indentOf } from './indentation.ts';
import { Cells, isSeparator, splitRow } from './table-rows.ts';
import { SEPARATED } from './traits.ts';

const endBorder = /(?<!\\)(?:\\\\)*\|$/;

/**
 * Most cells of a table; larger ones stay text, because a wide header over many short rows would make a page of empty
 * cells.
 */
const MAX_CELLS = 10_000;

/**
 * Parses a block whose first two lines are a header and a separator; all further lines are rows
 * (protocol/markdown#tables).
 */
export const tables: Rule = { needs: SEPARATED, parse: parseTable };

function parseTable(parent: Element, block: TextBlock): null | undefined {
  const second = block.lines[block.from + 1];
  if (second === undefined || block.from + 1 >= block.to || !isSeparator(second)) return undefined;
  const header = trimSpaces(block.lines[block.from] ?? '');
  const columns = splitRow(withoutBorders(header)).length;
  const dividers = splitRow(withoutBorders(trimSpaces(second)));
  if (columns < 2 && !hasBorder(second)) return undefined;
  if (columns !== dividers.length || columns * (block.to - block.from) > MAX_CELLS) return undefined;
  const rows = linesOf(block).map(trimSpaces);
  if (columns < 2 && !rows.every(hasBorder)) return undefined;
  const body = rows.length > 2 ? rows.slice(2) : [''];
  const style = dividers.map(attributesOf);
  const headRow = row('th', header, style);
  const bodyRows = body.map((line) => row('td', line, style));
  parent.children.push(plainElement('table', [plainElement('thead', [headRow]), plainElement('tbody', bodyRows)]));
  return null;
}

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

function withoutBorders(line: string): string {
  const start = unitAt(line, 0) === 124 ? 1 : 0;
  return line.slice(start, line.length > start && endsWithBorder(line) ? -1 : undefined);
}

/** Returns the attributes of a column's cells, one object for all of them. */
function attributesOf(divider: string): Attributes {
  const align = alignment(divider.trim());
  return align ? { style: `text-align: ${align};` } : NO_ATTRIBUTES;
}

function alignment(mark: string): string | undefined {
  if (mark.startsWith(':')) return mark.endsWith(':') && mark.length > 1 ? 'center' : 'left';
  return mark.endsWith(':') ? 'right' : undefined;
}

/** Missing cells are empty, and extra ones are dropped. */
function row(tag: 'th' | 'td', line: string, style: readonly Attributes[]): Element {
  const cells = new Cells(withoutBorders(line));
  return plainElement(
    'tr',
    style.map((attributes) => {
      const text = (cells.next() ?? '').trim();
      return element(tag, attributes, text === '' ? [] : [sourceText(text)]);
    }),
  );
}
