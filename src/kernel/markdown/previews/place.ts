import { blockHtml, type Element, inlineHtml, type Node, textOf } from '../tree.ts';
import type { NamedLink } from './collect.ts';

/** Whether a preview may take the place of a paragraph or item that holds nothing but its link. */
export type Replacing = 'may replace' | 'never replaces';

/**
 * Puts a preview where its link asks for (protocol/markdown#previews): right behind the link's paragraph and the
 * previews that are there, at the end of its list item, or at the very end of the message.
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

/** Takes an element away for which its preview stands; what comes behind it is laid out as if it were there. */
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
