import { type Element, element } from '../tree.ts';
import { type Block, type BlockParser, inQuote, type Place, type Rule, splitBlocks, type TextBlock } from './block.ts';
import type { Segment } from './fences.ts';
import { headings } from './headings.ts';
import { indentedCode } from './indented-code.ts';
import { NO_MARKS } from './line-marks.ts';
import { listContinuation } from './list-continuation.ts';
import { bulletedLists, numberedLists } from './lists.ts';
import { paragraphs } from './paragraphs.ts';
import { quotes } from './quotes.ts';
import { horizontalRules } from './rules.ts';
import { tables } from './tables.ts';

/** In the order of contract 1.1: the first rule that accepts a block takes it. */
const rules: readonly Rule[] = [
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

/** Parses what the fences left into a tree whose texts are still runs. */
export function parseBlocks(segments: readonly Segment[], parser: Omit<BlockParser, 'parse'>): Element {
  const root = element('root');
  const full: BlockParser = { ...parser, parse: parseInto };
  parseInto(root, segments.flatMap(blocksOf), { mode: 'plain', quoted: false, depth: 0, parser: full });
  return root;
}

function blocksOf(segment: Segment): Block[] {
  return segment.kind === 'lines' ? splitBlocks(segment.lines) : [segment];
}

function parseInto(parent: Element, blocks: readonly Block[], place: Place): void {
  for (const block of blocks) {
    if (block.kind !== 'text') addFenced(parent, block, place);
    else for (let rest: TextBlock | null = block; rest; ) rest = apply(parent, rest, place);
  }
}

function apply(parent: Element, block: TextBlock, place: Place): TextBlock | null {
  if (isPlain(block)) return paragraphs(parent, block, place) ?? null;
  for (const rule of rules) {
    const rest = rule(parent, block, place);
    if (rest !== undefined) return rest;
  }
  return null;
}

/** Whether no rule but the last can accept a block: it begins with a letter, and nothing interrupts it. */
function isPlain({ lines, from, marks }: TextBlock): boolean {
  const unit = (lines[from]?.charCodeAt(0) ?? 0) | 32;
  const second = lines[from + 1]?.charCodeAt(0);
  return (
    unit >= 97 &&
    unit <= 122 &&
    marks === NO_MARKS &&
    (second === undefined || ((second | 32) >= 97 && (second | 32) <= 122))
  );
}

function addFenced(parent: Element, segment: Exclude<Block, TextBlock>, place: Place): void {
  if (segment.kind === 'code') parent.children.push(place.parser.codeBlock(segment.word || undefined, segment.code));
  else if (segment.kind === 'math') parent.children.push(place.parser.mathBlock(segment.source));
  else if (segment.kind === 'quote') addQuote(parent, segment.segments, place);
  else addSpoiler(parent, segment, place);
}

function addQuote(parent: Element, segments: readonly Segment[], place: Place): void {
  const quote = element('blockquote');
  parseInto(quote, segments.flatMap(blocksOf), inQuote(place));
  if (quote.children.length > 0) parent.children.push(quote);
}

/** The frame of a spoiler is fixed text, with its own order of attributes (contract 2.9). */
function addSpoiler(parent: Element, spoiler: { header: string; segments: readonly Segment[] }, place: Place): void {
  const frame = (html: string) => parent.children.push({ type: 'html', html, block: true });
  frame('<div class="spoiler-block"><div class="spoiler-header">\n');
  parseInto(parent, splitBlocks([spoiler.header]), place);
  frame('</div><div class="spoiler-content" aria-hidden="true">\n');
  parseInto(parent, spoiler.segments.flatMap(blocksOf), place);
  frame('</div></div>\n');
}
