import { isLetter, unitAt } from '../characters.ts';
import { blockHtml, type Element, element } from '../tree.ts';
import {
  type BlockParser,
  inQuote,
  type BlockContext,
  placeAt,
  type Rule,
  type TextBlock,
  textBlock,
} from './block.ts';
import type { Segment } from './fences.ts';
import { headings, horizontalRules } from './headings.ts';
import { indentedCode } from './indented-code.ts';
import { isRule } from './line-marks.ts';
import { listContinuation } from './list-continuation.ts';
import { isBullet } from './list-items.ts';
import { addBulletLine, bulletedLists, numberedLists } from './lists.ts';
import { addParagraph, paragraphs } from './paragraphs.ts';
import { quotes } from './quotes.ts';
import { tables } from './tables.ts';
import { COMBINATIONS, traitsOf } from './traits.ts';

/** In the order of protocol/markdown#blocks: the first rule that applies parses a block. */
export const RULES: readonly Rule[] = [
  listContinuation,
  indentedCode,
  headings,
  tables,
  horizontalRules,
  numberedLists,
  bulletedLists,
  quotes,
  paragraphs,
];

/** The rules that can apply to a block with a combination of traits, for each: most blocks are asked for one rule. */
const rulesByTraits = Array.from({ length: COMBINATIONS }, (_, traits) =>
  RULES.filter(({ needs }) => needs === 0 || (needs & traits) !== 0),
);

/** Parses segments into a tree whose texts are still runs of source. */
export function parseBlocks(
  segments: readonly Segment[],
  parser: Omit<BlockParser, 'parseLines' | 'parseLine' | 'parseBlock'>,
): Element {
  const root = element('root');
  const { codeBlock, mathBlock, indentedCode } = parser;
  const full: BlockParser = { parseLines, parseLine, parseBlock, codeBlock, mathBlock, indentedCode };
  parseSegments(root, segments, placeAt('plain', 0, full));
  return root;
}

function parseSegments(parent: Element, segments: readonly Segment[], place: BlockContext): void {
  for (const segment of segments) {
    if (segment.kind === 'lines') parseLines(parent, segment.lines, place);
    else addFenced(parent, segment, place);
  }
}

/** Divides lines into blocks at empty lines, and parses each. */
function parseLines(parent: Element, lines: readonly string[], place: BlockContext): void {
  let blanks = 0;
  for (let from = 0; from < lines.length; ) {
    const empty = lines.indexOf('', from);
    const to = empty === -1 ? lines.length : empty;
    if (to > from) {
      if (to - from === 1) parseLine(parent, lines[from] ?? '', place, blanks);
      else parseBlock(parent, textBlock(to - from === lines.length ? lines : lines.slice(from, to), blanks), place);
      blanks = 0;
    }
    blanks++;
    from = to + 1;
  }
}

/** A fast path: most lines begin with a letter and are text; many others are list items. */
function parseLine(parent: Element, line: string, place: BlockContext, blanks = 0): void {
  const first = unitAt(line, 0);
  if (isLetter(first)) addParagraph(parent, line, place);
  else if (isBullet(first) && !isRule(line) && addBulletLine(parent, line, place)) return;
  else if (line !== '') parseBlock(parent, textBlock([line], blanks), place);
}

function parseBlock(parent: Element, block: TextBlock, place: BlockContext): void {
  for (let rest: TextBlock | null = block; rest; ) rest = apply(parent, rest, place);
}

function apply(parent: Element, block: TextBlock, place: BlockContext): TextBlock | null {
  for (const { parse } of rulesByTraits[traitsOf(block)] ?? []) {
    const rest = parse(parent, block, place);
    if (rest !== undefined) return rest;
  }
  return null;
}

function addFenced(parent: Element, segment: Exclude<Segment, { kind: 'lines' }>, place: BlockContext): void {
  if (segment.kind === 'code') parent.children.push(place.parser.codeBlock(segment.word || undefined, segment.code));
  else if (segment.kind === 'math') parent.children.push(place.parser.mathBlock(segment.source));
  else if (segment.kind === 'quote') addQuote(parent, segment.segments, place);
  else addSpoiler(parent, segment, place);
}

function addQuote(parent: Element, segments: readonly Segment[], place: BlockContext): void {
  const quote = element('blockquote');
  parseSegments(quote, segments, inQuote(place));
  if (quote.children.length > 0) parent.children.push(quote);
}

/** The tags of a spoiler are literal, because their attributes have another order (protocol/markdown#spoilers). */
function addSpoiler(
  parent: Element,
  spoiler: { header: string; segments: readonly Segment[] },
  place: BlockContext,
): void {
  const frame = (html: string) => parent.children.push(blockHtml(html));
  frame('<div class="spoiler-block"><div class="spoiler-header">\n');
  parseLines(parent, [spoiler.header], place);
  frame('</div><div class="spoiler-content" aria-hidden="true">\n');
  parseSegments(parent, spoiler.segments, place);
  frame('</div></div>\n');
}
