import { lastElement, plainElement, text } from '../tree.ts';
import { after, linesOf, type Rule } from './block.ts';

const MARGIN = '    ';

/** Tag of indented code until it is complete and is highlighted; never written to HTML. */
export const INDENTED_CODE = 'indented-code';

/**
 * Parses a block that begins with four spaces; continues a code block directly before it
 * (protocol/markdown#indented-code).
 */
export const indentedCode: Rule = (parent, block, place) => {
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
};
