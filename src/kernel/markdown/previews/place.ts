import { blockHtml, type Element, inlineHtml, type Node, textOf } from '../tree.ts';
import type { NamedLink } from './collect.ts';

/** Whether a preview may replace a paragraph or list item that contains only its link. */
export type Replacing = 'may replace' | 'never replaces';

/**
 * Inserts a preview (protocol/markdown#previews): directly after the link's paragraph and other previews there, at the
 * end of its list item, or at the end of the message.
 */
export function placePreview(root: Element, found: NamedLink, preview: Element, replacing: Replacing): void {
  const { parent, grandparent, link } = found;
  const alone = replacing === 'may replace' && found.text === found.url && isAlone(parent, link);
  if (parent.tag === 'li') {
    parent.children.push(preview);
    if (alone) leaveOut(link, parent);
  } else if (parent.tag === 'p' && grandparent) {
    grandparent.children.splice(endOfPreviews(grandparent, parent), 0, preview);
    if (alone) leaveOut(parent, grandparent);
  } else root.children.push(preview);
}

/** Removes an element that its preview replaces; an empty node stays, so that the layout does not change. */
function leaveOut(element: Element, parent: Element): void {
  parent.children[parent.children.indexOf(element)] = element.tag === 'p' ? blockHtml('') : inlineHtml('', '');
}

function isAlone(parent: Element, link: Element): boolean {
  return parent.children.every((child) => child === link || isPreview(child) || isBlank(child));
}

function isPreview(node: Node): boolean {
  return node.type === 'element' && node.preview === true;
}

function isBlank(node: Node): boolean {
  return node.type === 'text' && textOf(node).trim() === '';
}

function endOfPreviews(grandparent: Element, paragraph: Element): number {
  let index = grandparent.children.indexOf(paragraph) + 1;
  for (let next = grandparent.children[index]; next && isPreview(next); next = grandparent.children[index]) index++;
  return index;
}
