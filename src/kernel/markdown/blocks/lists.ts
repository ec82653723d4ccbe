import { type Element, element, lastElement, NO_ATTRIBUTES } from '../tree.ts';
import { linesOf, MAX_DEPTH, type Place, type Rule, splitBlocks, type TextBlock } from './block.ts';
import { groupItems, type ListKind, parseItem, type Piece } from './list-items.ts';
import { wrapTail, wrapText } from './wrap.ts';

/** A block that begins with a numbered item (contract 1.4). */
export const numberedLists: Rule = (parent, block, place) => list('ol', parent, block, place);

/** A block that begins with a bullet (contract 1.4). */
export const bulletedLists: Rule = (parent, block, place) => list('ul', parent, block, place);

function list(kind: ListKind, parent: Element, block: TextBlock, place: Place): [] | undefined {
  const first = parseItem(kind, block.lines[block.from] ?? '');
  if (!first || place.depth >= MAX_DEPTH) return undefined;
  const pieces = groupItems(kind, linesOf(block));
  const target = lastElement(parent);
  if (target?.tag === kind) continueList(target, pieces, place);
  else if (parent.tag === 'ol' || parent.tag === 'ul') addPieces(parent, pieces, place);
  else addPieces(newList(kind, parent, first.mark), pieces, place);
  return [];
}

/** Later numbers are ignored; the first is kept exactly as written unless it is 1. */
function newList(kind: ListKind, parent: Element, mark: string): Element {
  const made = element(kind, kind === 'ol' && mark !== '1' ? { start: mark } : NO_ATTRIBUTES);
  parent.children.push(made);
  return made;
}

/** A list goes on after an empty line: the items on both sides of it get paragraphs, no others. */
function continueList(target: Element, pieces: Piece[], place: Place): void {
  const last = lastElement(target);
  if (last) {
    wrapText(last);
    wrapTail(last);
  }
  const [first, ...others] = pieces;
  if (first) addItem(target, first.lines, { ...place, mode: 'looselist' });
  addPieces(target, others, place);
}

function addPieces(target: Element, pieces: readonly Piece[], place: Place): void {
  for (const piece of pieces) {
    const last = lastElement(target);
    if (piece.indented && last) parseInto(last, piece.lines, { ...place, mode: 'list' });
    else addItem(target, piece.lines, { ...place, mode: 'list' });
  }
}

function addItem(target: Element, lines: readonly string[], place: Place): void {
  const item = element('li');
  target.children.push(item);
  parseInto(item, lines, place);
}

function parseInto(item: Element, lines: readonly string[], place: Place): void {
  place.parser.parse(item, splitBlocks(lines), { ...place, depth: place.depth + 1 });
}
