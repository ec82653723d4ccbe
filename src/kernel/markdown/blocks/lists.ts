import { addChild, type Element, element, lastElement, NO_ATTRIBUTES } from '../tree.ts';
import { inList, inLooseList, MAX_DEPTH, type BlockContext, type Rule, type TextBlock } from './block.ts';
import { endOfPiece, itemStart, type ListKind, markOf } from './list-items.ts';
import { wrapTail, wrapText } from './paragraphs.ts';
import { BULLETED, INDENTED, NUMBERED } from './traits.ts';

/** Parses a block that begins with a numbered item (protocol/markdown#lists). */
export const numberedLists: Rule = listRule('ol', NUMBERED | INDENTED);

/** Parses a block that begins with a bullet (protocol/markdown#lists). */
export const bulletedLists: Rule = listRule('ul', BULLETED | INDENTED);

function listRule(kind: ListKind, needs: number): Rule {
  return { needs, parse: (parent, block, place) => list(kind, parent, block, place) };
}

/** Adds a single line as a list item if it is one; false if not. The line must not be a horizontal rule. */
export function addBulletLine(parent: Element, line: string, place: BlockContext): boolean {
  const start = itemStart('ul', line);
  if (start === -1 || place.depth >= MAX_DEPTH) return false;
  const inside = insideFirst('ul', parent, place);
  inside.parser.parseLine(newItem(listFor('ul', parent, line)), line.slice(start), inside);
  return true;
}

function list(kind: ListKind, parent: Element, block: TextBlock, place: BlockContext): null | undefined {
  const first = block.lines[block.from] ?? '';
  if (itemStart(kind, first) === -1 || place.depth >= MAX_DEPTH) return undefined;
  const inside = insideFirst(kind, parent, place);
  const target = listFor(kind, parent, first);
  let from = addPiece(kind, target, block, inside);
  while (from < block.to) from = addPiece(kind, target, { ...block, from }, inList(place));
  return null;
}

/**
 * Returns the context of the first item: in a list that continues after an empty line, the items before and after that
 * line get paragraphs.
 */
function insideFirst(kind: ListKind, parent: Element, place: BlockContext): BlockContext {
  return lastElement(parent)?.tag === kind ? inLooseList(place) : inList(place);
}

/** Returns the list for an item: the preceding one, the enclosing one, or a new one. */
function listFor(kind: ListKind, parent: Element, first: string): Element {
  const before = lastElement(parent);
  if (before?.tag === kind) {
    wrapLastItem(before);
    return before;
  }
  if (parent.tag === 'ol' || parent.tag === 'ul') return parent;
  return newList(parent, kind === 'ol' ? markOf(first) : '1', kind);
}

function wrapLastItem(list: Element): void {
  const last = lastElement(list);
  if (!last) return;
  wrapText(last);
  wrapTail(last);
}

/** The first number is kept as typed unless it is 1; all others are ignored. */
function newList(parent: Element, mark: string, kind: ListKind): Element {
  const made = element(kind, mark === '1' ? NO_ATTRIBUTES : { start: mark });
  addChild(parent, made);
  return made;
}

/** Adds the part with which the block begins; returns where the next one begins. */
function addPiece(kind: ListKind, target: Element, block: TextBlock, inside: BlockContext): number {
  const { lines, from } = block;
  const first = lines[from] ?? '';
  const start = itemStart(kind, first);
  const end = endOfPiece(kind, block, from, start !== -1);
  const item = (start === -1 ? lastElement(target) : undefined) ?? newItem(target);
  const line = start === -1 ? first : first.slice(start);
  if (end - from === 1) inside.parser.parseLine(item, line, inside);
  else inside.parser.parseLines(item, [line, ...lines.slice(from + 1, end)], inside);
  return end;
}

function newItem(target: Element): Element {
  const item = element('li');
  addChild(target, item);
  return item;
}
