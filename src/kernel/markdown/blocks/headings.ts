import { plainElement } from '../tree.ts';
import { after, before, type Place, type Rule, type TextBlock, textBlock } from './block.ts';
import { detab } from './indentation.ts';

const heading = /^(#{1,6})(\s?)(.*)$/s;

/** A line of one to six `#`, white space and a title, anywhere in the block (contract 1.3). */
export const headings: Rule = (parent, block, place) => {
  const index = block.marks.heading(block.from);
  if (index >= block.to) return undefined;
  if (index > block.from) place.parser.parse(parent, before(block, index), place);
  const [, level = '', space = '', rest = ''] = heading.exec(block.lines[index] ?? '') ?? [];
  // The white space after the marks may be the newline: then the next line is the title.
  const title = space === '' ? (block.lines[index + 1] ?? '') : rest;
  parent.children.push(
    plainElement(`h${level.length}`, [{ type: 'run', text: withoutMarks(title), quoted: place.quoted }]),
  );
  return restOf(block, space === '' ? index + 2 : index + 1, place);
};

/** Drops `#` at the end, even without a space before them, and white space around. */
function withoutMarks(title: string): string {
  let end = title.length;
  while (title.charCodeAt(end - 1) === 35) end--;
  return title.slice(0, end).trim();
}

function restOf(block: TextBlock, index: number, place: Place): readonly TextBlock[] {
  const rest = after(block, index);
  if (place.mode !== 'looselist') return rest;
  return rest.map((part) => textBlock(detab(part.lines.slice(part.from, part.to), 1)));
}
