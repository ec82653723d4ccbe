import { addChild, type Element, element, lastElement, NO_ATTRIBUTES } from '../tree.ts';
import { inList, MAX_DEPTH, type Place, type Rule, type TextBlock } from './block.ts';
import { endOfPiece, itemStart, type ListKind, markOf } from './list-items.ts';
import { wrapTail, wrapText } from './wrap.ts';

/** A block that begins with a numbered item (contract 1.4). */
export const numberedLists: Rule = (parent, block, place) => list('ol', parent, block, place);

/** A block that begins with a bullet (contract 1.4). */
export const bulletedLists: Rule = (parent, block, place) => list('ul', parent, block, place);

function list(kind: ListKind, parent: Element, block: TextBlock, place: Place): null | undefined {
  const first = block.lines[block.from] ?? '';
  if (itemStart(kind, first) === -1 || place.depth >= MAX_DEPTH) return undefined;
  const target = lastElement(parent);
  if (target?.tag === kind) continueList(kind, target, block, place);
  else if (parent.tag === 'ol' || parent.tag === 'ul') addPieces(kind, parent, block, inList(place));
  else addPieces(kind, newList(parent, kind === 'ol' ? markOf(first) : '1', kind), block, inList(place));
  return null;
}

/** Later numbers are ignored; the first is kept exactly as written unless it is 1. */
function newList(parent: Element, mark: string, kind: ListKind): Element {
  const made = element(kind, mark === '1' ? NO_ATTRIBUTES : { start: mark });
  addChild(parent, made);
  return made;
}

/** A list goes on after an empty line: the items on both sides of it get paragraphs, no others. */
function continueList(kind: ListKind, target: Element, block: TextBlock, place: Place): void {
  const last = lastElement(target);
  if (last) {
    wrapText(last);
    wrapTail(last);
  }
  const end = addPiece(kind, target, block, block.from, inList(place, 'looselist'));
  if (end < block.to) addPieces(kind, target, { ...block, from: end }, inList(place));
}

function addPieces(kind: ListKind, target: Element, block: TextBlock, inside: Place): void {
  for (let from = block.from; from < block.to; ) from = addPiece(kind, target, block, from, inside);
}

/** Adds the piece that begins at line `from`, and says where the next one begins. */
function addPiece(kind: ListKind, target: Element, { lines, to }: TextBlock, from: number, inside: Place): number {
  const first = lines[from] ?? '';
  const start = itemStart(kind, first);
  const end = endOfPiece(kind, lines, from, to, start !== -1);
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
