import { addChild, type Element, element, lastElement, NO_ATTRIBUTES } from '../tree.ts';
import { inList, inMode, linesOf, MAX_DEPTH, type Place, type Rule, type TextBlock } from './block.ts';
import { groupItems, itemStart, type ListKind, markOf, type Piece } from './list-items.ts';
import { wrapTail, wrapText } from './wrap.ts';

/** A block that begins with a numbered item (contract 1.4). */
export const numberedLists: Rule = (parent, block, place) => list('ol', parent, block, place);

/** A block that begins with a bullet (contract 1.4). */
export const bulletedLists: Rule = (parent, block, place) => list('ul', parent, block, place);

function list(kind: ListKind, parent: Element, block: TextBlock, place: Place): null | undefined {
  const first = block.lines[block.from] ?? '';
  if (itemStart(kind, first) === -1 || place.depth >= MAX_DEPTH) return undefined;
  const pieces = groupItems(kind, linesOf(block));
  const inside = inList(place);
  const target = lastElement(parent);
  if (target?.tag === kind) continueList(target, pieces, inside);
  else if (parent.tag === 'ol' || parent.tag === 'ul') addPieces(parent, pieces, inside);
  else addPieces(newList(parent, kind === 'ol' ? markOf(first) : '1', kind), pieces, inside);
  return null;
}

/** Later numbers are ignored; the first is kept exactly as written unless it is 1. */
function newList(parent: Element, mark: string, kind: ListKind): Element {
  const made = element(kind, mark === '1' ? NO_ATTRIBUTES : { start: mark });
  addChild(parent, made);
  return made;
}

/** A list goes on after an empty line: the items on both sides of it get paragraphs, no others. */
function continueList(target: Element, pieces: Piece[], inside: Place): void {
  const last = lastElement(target);
  if (last) {
    wrapText(last);
    wrapTail(last);
  }
  if (pieces[0]) addItem(target, pieces[0].lines, inMode('looselist', inside));
  addPieces(target, pieces, inside, 1);
}

function addPieces(target: Element, pieces: readonly Piece[], inside: Place, from = 0): void {
  for (let index = from; index < pieces.length; index++) {
    const piece = pieces[index];
    if (!piece) continue;
    const last = piece.indented ? lastElement(target) : undefined;
    if (last) inside.parser.parseLines(last, piece.lines, inside);
    else addItem(target, piece.lines, inside);
  }
}

function addItem(target: Element, lines: readonly string[], inside: Place): void {
  const item = element('li');
  addChild(target, item);
  inside.parser.parseLines(item, lines, inside);
}
