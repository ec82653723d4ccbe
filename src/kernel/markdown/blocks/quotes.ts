import { unitAt } from '../characters.ts';
import { type Element, element } from '../tree.ts';
import { inQuote, MAX_DEPTH, parseBefore, type BlockContext, type Rule, type TextBlock, textBlock } from './block.ts';
import { indentOf } from './indentation.ts';
import { isQuote, lineMarks } from './line-marks.ts';
import { MARKED } from './traits.ts';

/** Parses a quote anywhere in the block; all lines below it belong to it (protocol/markdown#quotes). */
export const quotes: Rule = { needs: MARKED, parse: parseQuote };

function parseQuote(parent: Element, block: TextBlock, place: BlockContext): null | undefined {
  const index = block.marks.quote(block.from);
  if (index >= block.to || place.depth >= MAX_DEPTH) return undefined;
  parseBefore(parent, block, index, place);
  const quote = element('blockquote');
  parent.children.push(quote);
  // The lines after the last quote mark may be in many nested quotes, so they are not checked again: the rules before
  // this one found nothing in them.
  const lines = block.lines.slice(index, block.to);
  const marked = Math.min(lines.length, block.marks.lastQuote + 1 - index);
  for (let line = 0; line < marked; line++) lines[line] = withoutMark(lines[line] ?? '');
  const isOne = !lines.slice(0, marked).includes('');
  if (isOne) place.parser.parseBlock(quote, textBlock(lines, 0, lineMarks(lines, marked)), inQuote(place));
  else place.parser.parseLines(quote, lines, inQuote(place));
  return null;
}

function withoutMark(line: string): string {
  if (!isQuote(line)) return line;
  const start = indentOf(line) + 1;
  const inner = line.slice(unitAt(line, start) === 32 ? start + 1 : start);
  return inner.trim() === '' ? '' : inner;
}
