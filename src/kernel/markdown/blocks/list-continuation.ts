import { type Element, element, lastElement } from '../tree.ts';
import { detabbed, linesOf, type BlockContext, type Rule, type TextBlock } from './block.ts';
import { detab, detabLine, levelOf } from './indentation.ts';
import { wrapText } from './paragraphs.ts';
import { INDENTED } from './traits.ts';

/** Adds an indented block to a list item above it (protocol/markdown#lists, continuation blocks). */
export const listContinuation: Rule = { needs: INDENTED, parse: parseContinuation };

function parseContinuation(parent: Element, block: TextBlock, place: BlockContext): null | undefined {
  const indent = levelOf(block.lines[block.from] ?? '');
  if (indent === 0 || place.mode === 'detabbed') return undefined;
  if (parent.tag !== 'li' && !isList(lastElement(parent))) return undefined;
  const { target, levels } = descend(parent, indent, place.mode === 'list' ? 1 : 0);
  const item = itemFor(parent, target);
  if (block.to - block.from > 1) place.parser.parseLines(item, detab(linesOf(block), levels), detabbed(place));
  else place.parser.parseLine(item, detabLine(block.lines[block.from] ?? '', levels), detabbed(place));
  return null;
}

function isList(node: Element | undefined): boolean {
  return node?.tag === 'ol' || node?.tag === 'ul';
}

/** Descends one list level per level of indentation, as far as there are lists. */
function descend(parent: Element, indent: number, start: number): { target: Element; levels: number } {
  let target = parent;
  let levels = start;
  while (indent > levels) {
    const child = lastElement(target);
    if (!child || !(isList(child) || child.tag === 'li')) break;
    if (isList(child)) levels++;
    target = child;
  }
  return { target, levels };
}

function itemFor(parent: Element, target: Element): Element {
  if (parent.tag === 'li') {
    const last = lastElement(parent);
    return last && isList(last) ? last : parent;
  }
  if (target.tag === 'li') return target;
  const last = lastElement(target);
  if (!last) return newItem(target);
  // The indentation matches the level exactly, so the item's text becomes a paragraph, too.
  wrapText(last);
  return last;
}

function newItem(list: Element): Element {
  const item = element('li');
  list.children.push(item);
  return item;
}
