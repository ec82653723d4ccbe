import { unitAt } from '../characters.ts';
import { type Element, plainElement, RULE, sourceText } from '../tree.ts';
import { after, linesOf, parseBefore, type BlockContext, type Rule, type TextBlock, textBlock } from './block.ts';
import { detab } from './indentation.ts';
import { headingLevel } from './line-marks.ts';
import { MARKED } from './traits.ts';

const TAGS = ['', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/**
 * Parses a heading anywhere in the block: one to six `#`, white space and a title
 * (protocol/markdown#headings-and-rules).
 */
export const headings: Rule = { needs: MARKED, parse: parseHeading };

function parseHeading(parent: Element, block: TextBlock, place: BlockContext): TextBlock | null | undefined {
  const index = block.marks.heading(block.from);
  if (index >= block.to) return undefined;
  parseBefore(parent, block, index, place);
  const line = block.lines[index] ?? '';
  const level = headingLevel(line);
  // The white space may be the line end; then the next line is the title.
  const isNext = level === line.length;
  const title = isNext ? (block.lines[index + 1] ?? '') : line.slice(level + 1);
  const text = withoutMarks(title);
  parent.children.push(plainElement(TAGS[level] ?? '', text === '' ? [] : [sourceText(text)]));
  return restOf(block, isNext ? index + 2 : index + 1, place);
}

/** Removes trailing `#`, even without a space before them, and surrounding white space. */
function withoutMarks(title: string): string {
  let end = title.length;
  while (unitAt(title, end - 1) === 35) end--;
  return title.slice(0, end).trim();
}

function restOf(block: TextBlock, index: number, place: BlockContext): TextBlock | null {
  const rest = after(block, index);
  return rest && place.mode === 'looselist' ? textBlock(detab(linesOf(rest), 1)) : rest;
}

/** Parses a horizontal rule anywhere in the block (protocol/markdown#headings-and-rules). */
export const horizontalRules: Rule = { needs: MARKED, parse: parseRule };

function parseRule(parent: Element, block: TextBlock, place: BlockContext): TextBlock | null | undefined {
  const index = block.marks.rule(block.from);
  if (index >= block.to) return undefined;
  parseBefore(parent, block, index, place);
  parent.children.push(RULE);
  return after(block, index + 1);
}
