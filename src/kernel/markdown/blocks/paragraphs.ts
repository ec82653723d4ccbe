import { addChild, type Element, plainElement, sourceText } from '../tree.ts';
import { linesOf, type BlockContext, type Rule, type TextBlock } from './block.ts';

/**
 * Parses any block: as a paragraph, or as the text of an item in a tight list (protocol/markdown#paragraphs,
 * protocol/markdown#lists).
 */
export const paragraphs: Rule = { needs: 0, parse: parseParagraph };

function parseParagraph(parent: Element, block: TextBlock, place: BlockContext): null {
  const lines = linesOf(block);
  const text = (lines.length === 1 ? (lines[0] ?? '') : lines.join('\n')).trimStart();
  if (text !== '') addParagraph(parent, text, place);
  return null;
}

/** Adds text that does not begin with white space. */
export function addParagraph(parent: Element, text: string, place: BlockContext): void {
  if (place.mode !== 'list') {
    addChild(parent, plainElement('p', [sourceText(text)]));
    return;
  }
  const last = parent.children.at(-1);
  if (last?.type === 'run') parent.children.splice(-1, 1, sourceText(`${last.text}\n${text}`));
  else addChild(parent, sourceText(text));
}

/** Wraps the text at the beginning of an item in a paragraph. */
export function wrapText(item: Element): void {
  const first = item.children[0];
  if (first?.type === 'run') item.children[0] = plainElement('p', [first]);
}

/** Wraps the text after the last block of an item in a paragraph. */
export function wrapTail(item: Element): void {
  const last = item.children.at(-1);
  if (last?.type === 'run') item.children.splice(-1, 1, plainElement('p', [sourceText(last.text.trimStart())]));
}
