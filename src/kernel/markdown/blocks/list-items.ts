import { isDigit, unitAt } from '../characters.ts';
import type { TextBlock } from './block.ts';
import { indentOf } from './indentation.ts';

/** The two kinds of list. */
export type ListKind = 'ol' | 'ul';

/** Returns the index of the text in a line that starts a list item of this kind; -1 for other lines. */
export function itemStart(kind: ListKind, line: string): number {
  return textStart(kind, line, unitAt(line, 0) === 32 ? 1 : 0);
}

/** Returns the number of an item as typed. */
export function markOf(line: string): string {
  return line.slice(0, line.indexOf('.')).trimStart();
}

/** Returns the index after a list mark at `from` and the spaces that follow it, at least one; -1 if there is none. */
function textStart(kind: ListKind, line: string, from: number): number {
  let index = kind === 'ol' ? behindNumber(line, from) : behindBullet(line, from);
  if (index === -1 || unitAt(line, index) !== 32) return -1;
  while (unitAt(line, index) === 32) index++;
  return index;
}

function behindBullet(line: string, from: number): number {
  return isBullet(unitAt(line, from)) ? from + 1 : -1;
}

/** Whether a code unit is a bullet: `*`, `+` or `-`. */
export function isBullet(unit: number): boolean {
  return unit === 45 || unit === 42 || unit === 43;
}

function behindNumber(line: string, from: number): number {
  let index = from;
  while (isDigit(unitAt(line, index))) index++;
  return index > from && unitAt(line, index) === 46 ? index + 1 : -1;
}

/**
 * Returns the end of the part of a list that begins at line `from`: an item with its continuation lines, or indented
 * lines that belong to the item before them (protocol/markdown#lists, items of one block).
 */
export function endOfPiece(kind: ListKind, { lines, to }: TextBlock, from: number, isItem: boolean): number {
  let end = from + 1;
  while (end < to && goesOn(kind, lines[end] ?? '', isItem)) end++;
  return end;
}

function goesOn(kind: ListKind, line: string, isItem: boolean): boolean {
  return itemStart(kind, line) === -1 && !(isItem && isNestedItem(line));
}

function isNestedItem(line: string): boolean {
  if (unitAt(line, 0) !== 32) return false;
  const indent = indentOf(line, 4);
  if (indent !== 2 && indent !== 3) return false;
  return textStart('ul', line, indent) !== -1 || textStart('ol', line, indent) !== -1;
}
