import { unitAt } from '../characters.ts';
import { plainElement, RULE, run } from '../tree.ts';
import { after, linesOf, parseBefore, type BlockContext, type Rule, type TextBlock, textBlock } from './block.ts';
import { detab } from './indentation.ts';
import { headingLevel } from './line-marks.ts';

const TAGS = ['', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** A line of one to six `#`, white space and a title, anywhere in the block (protocol/markdown#headings-and-rules). */
export const headings: Rule = (parent, block, place) => {
  const index = block.marks.heading(block.from);
  if (index >= block.to) return undefined;
  parseBefore(parent, block, index, place);
  const line = block.lines[index] ?? '';
  const level = headingLevel(line);
  // The white space after the marks may be the newline: then the next line is the title.
  const isNext = level === line.length;
  const title = isNext ? (block.lines[index + 1] ?? '') : line.slice(level + 1);
  const text = withoutMarks(title);
  parent.children.push(plainElement(TAGS[level] ?? '', text === '' ? [] : [run(text)]));
  return restOf(block, isNext ? index + 2 : index + 1, place);
};

/** Drops `#` at the end, even without a space before them, and white space around. */
function withoutMarks(title: string): string {
  let end = title.length;
  while (unitAt(title, end - 1) === 35) end--;
  return title.slice(0, end).trim();
}

function restOf(block: TextBlock, index: number, place: BlockContext): TextBlock | null {
  const rest = after(block, index);
  return rest && place.mode === 'looselist' ? textBlock(detab(linesOf(rest), 1)) : rest;
}

/** A horizontal rule anywhere in the block (protocol/markdown#headings-and-rules). */
export const horizontalRules: Rule = (parent, block, place) => {
  const index = block.marks.rule(block.from);
  if (index >= block.to) return undefined;
  parseBefore(parent, block, index, place);
  parent.children.push(RULE);
  return after(block, index + 1);
};
