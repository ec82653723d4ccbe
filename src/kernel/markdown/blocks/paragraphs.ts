import { addChild, type Element, plainElement, run } from '../tree.ts';
import { linesOf, type Place, type Rule } from './block.ts';

/**
 * Anything: a paragraph, or the bare text of an item of a tight list (protocol/markdown#paragraphs,
 * protocol/markdown#lists).
 */
export const paragraphs: Rule = (parent, block, place) => {
  const lines = linesOf(block);
  const text = (lines.length === 1 ? (lines[0] ?? '') : lines.join('\n')).trimStart();
  if (text !== '') addParagraph(parent, text, place);
  return null;
};

/** Adds a text that begins with something to see. */
export function addParagraph(parent: Element, text: string, place: Place): void {
  if (place.mode !== 'list') {
    addChild(parent, plainElement('p', [run(text)]));
    return;
  }
  const last = parent.children.at(-1);
  if (last?.type === 'run') parent.children.splice(-1, 1, run(`${last.text}\n${text}`));
  else addChild(parent, run(text));
}
