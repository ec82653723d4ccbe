import { type Element, lastElement, plainElement, text } from '../tree.ts';
import { after, linesOf, type BlockContext, type Rule, type TextBlock } from './block.ts';
import { INDENTED } from './traits.ts';

const MARGIN = '    ';

/** Tag of indented code until it is complete and is highlighted; never written to HTML. */
export const INDENTED_CODE = 'indented-code';

/**
 * Parses a block that begins with four spaces; continues a code block directly before it
 * (protocol/markdown#indented-code).
 */
export const indentedCode: Rule = { needs: INDENTED, parse: parseIndented };

function parseIndented(parent: Element, block: TextBlock, place: BlockContext): TextBlock | null | undefined {
  if (!place.parser.indentedCode || !(block.lines[block.from] ?? '').startsWith(MARGIN)) return undefined;
  let end = block.from;
  while (end < block.to && (block.lines[end] ?? '').startsWith(MARGIN)) end++;
  const code = linesOf({ ...block, to: end })
    .map((line) => line.slice(MARGIN.length))
    .join('\n')
    .trimEnd();
  const last = lastElement(parent);
  if (last?.tag === INDENTED_CODE) last.children.push(text('\n'.repeat(block.blanks)), text(`${code}\n`));
  else parent.children.push(plainElement(INDENTED_CODE, [text(`${code}\n`)]));
  return after(block, end);
}
