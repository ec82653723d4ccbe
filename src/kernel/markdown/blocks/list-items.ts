import { indentOf } from './indentation.ts';

/** The two kinds of list. */
export type ListKind = 'ol' | 'ul';

/** A piece of a list's block: a new item, or indented lines that belong inside the item before them. */
export interface Piece {
  readonly indented: boolean;
  readonly lines: string[];
}

/** Where the text begins on a line that starts an item of a kind; -1 on every other line. */
export function itemStart(kind: ListKind, line: string): number {
  return textStart(kind, line, line.charCodeAt(0) === 32 ? 1 : 0);
}

/** The number of an item, as written. */
export function markOf(line: string): string {
  return line.slice(0, line.indexOf('.')).trimStart();
}

/** Behind a mark that stands at `from` and the spaces after it, of which there must be one. */
function textStart(kind: ListKind, line: string, from: number): number {
  let index = kind === 'ol' ? behindNumber(line, from) : behindBullet(line, from);
  if (index === -1 || line.charCodeAt(index) !== 32) return -1;
  while (line.charCodeAt(index) === 32) index++;
  return index;
}

function behindBullet(line: string, from: number): number {
  const unit = line.charCodeAt(from);
  return unit === 42 || unit === 43 || unit === 45 ? from + 1 : -1;
}

function behindNumber(line: string, from: number): number {
  let index = from;
  while (line.charCodeAt(index) >= 48 && line.charCodeAt(index) <= 57) index++;
  return index > from && line.charCodeAt(index) === 46 ? index + 1 : -1;
}

/** Groups the lines of a block that begins with an item (contract 1.4, items of one block). */
export function groupItems(kind: ListKind, lines: readonly string[]): Piece[] {
  let last = pieceOf(kind, lines[0] ?? '');
  const pieces = [last];
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (itemStart(kind, line) === -1 && (last.indented || !isNestedItem(line))) last.lines.push(line);
    else pieces.push((last = pieceOf(kind, line)));
  }
  return pieces;
}

function pieceOf(kind: ListKind, line: string): Piece {
  const start = itemStart(kind, line);
  return start === -1 ? { indented: true, lines: [line] } : { indented: false, lines: [line.slice(start)] };
}

function isNestedItem(line: string): boolean {
  if (line.charCodeAt(0) !== 32) return false;
  const indent = indentOf(line, 4);
  if (indent !== 2 && indent !== 3) return false;
  return textStart('ul', line, indent) !== -1 || textStart('ol', line, indent) !== -1;
}
