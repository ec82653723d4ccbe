import { element } from '../tree.ts';
import { after, before, type Rule } from './block.ts';

/** A horizontal rule anywhere in the block (contract 1.3). */
export const horizontalRules: Rule = (parent, block, place) => {
  const index = block.marks.rule(block.from);
  if (index >= block.to) return undefined;
  if (index > block.from) place.parser.parseBlock(parent, before(block, index), place);
  parent.children.push(element('hr'));
  return after(block, index + 1);
};
