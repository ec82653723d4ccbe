import { RULE } from '../tree.ts';
import { after, parseBefore, type Rule } from './block.ts';

/** A horizontal rule anywhere in the block (protocol/markdown#headings-and-rules). */
export const horizontalRules: Rule = (parent, block, place) => {
  const index = block.marks.rule(block.from);
  if (index >= block.to) return undefined;
  parseBefore(parent, block, index, place);
  parent.children.push(RULE);
  return after(block, index + 1);
};
