import type { Element, Html } from '../tree.ts';
import { type LineMarks, lineMarks } from './line-marks.ts';

/** Lines without an empty one between them: `lines[from..to)`. A block handed back shares its lines with the whole. */
export interface TextBlock {
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly marks: LineMarks;
  /** Empty lines before the block. */
  readonly blanks: number;
}

/** Where blocks are parsed, which decides what a paragraph becomes. */
export interface BlockContext {
  /** In `list` item text stays bare; in `looselist` the first item of a continued list gets paragraphs. */
  readonly mode: 'plain' | 'list' | 'looselist' | 'detabbed';
  /** Lists and quotes around; 0 to MAX_DEPTH. */
  readonly depth: number;
  readonly parser: BlockParser;
  /** The places that lead on from here, made when first asked for. */
  list: BlockContext | undefined;
  looseList: BlockContext | undefined;
  detabbed: BlockContext | undefined;
  quote: BlockContext | undefined;
}

/** A place from which none has been asked for. */
export function placeAt(mode: BlockContext['mode'], depth: number, parser: BlockParser): BlockContext {
  return { mode, depth, parser, list: undefined, looseList: undefined, detabbed: undefined, quote: undefined };
}

/** Inside a list that stands at a place. */
export function inList(place: BlockContext): BlockContext {
  return (place.list ??= placeAt('list', place.depth + 1, place.parser));
}

/** The same where a list goes on after an empty line. */
export function inLooseList(place: BlockContext): BlockContext {
  return (place.looseList ??= placeAt('looselist', place.depth + 1, place.parser));
}

/** The same place for lines whose indentation was taken away. */
export function detabbed(place: BlockContext): BlockContext {
  return (place.detabbed ??= placeAt('detabbed', place.depth, place.parser));
}

/** Inside a quote that stands at a place. */
export function inQuote(place: BlockContext): BlockContext {
  return (place.quote ??= placeAt('plain', place.depth + 1, place.parser));
}

/** What the rules need of the parser and of the message. */
export interface BlockParser {
  parseLines(parent: Element, lines: readonly string[], place: BlockContext): void;
  /** What `parseLines` does with one line only, without making arrays of it. */
  parseLine(parent: Element, line: string, place: BlockContext, blanks?: number): void;
  parseBlock(parent: Element, block: TextBlock, place: BlockContext): void;
  codeBlock(word: string | undefined, code: string): Html;
  mathBlock(source: string): Html;
  readonly indentedCode: boolean;
}

/**
 * A rule takes a block and gives back what it left of it, null for nothing; or refuses with undefined
 * (protocol/markdown#blocks).
 */
export type Rule = (parent: Element, block: TextBlock, place: BlockContext) => TextBlock | null | undefined;

/** Lists and quotes nest this deep; what is deeper stays text (protocol/markdown#blocks). */
export const MAX_DEPTH = 30;

export function textBlock(lines: readonly string[], blanks = 0, marks = lineMarks(lines)): TextBlock {
  return { lines, from: 0, to: lines.length, marks, blanks };
}

/** The lines of a block as an array of their own. */
export function linesOf(block: TextBlock): readonly string[] {
  return block.from === 0 && block.to === block.lines.length ? block.lines : block.lines.slice(block.from, block.to);
}

/** Parses the lines of a block before line `index`, if there are any, as a block of their own. */
export function parseBefore(
  parent: Element,
  { lines, from, blanks }: TextBlock,
  index: number,
  place: BlockContext,
): void {
  if (index === from + 1) place.parser.parseLine(parent, lines[from] ?? '', place, blanks);
  else if (index > from) place.parser.parseBlock(parent, textBlock(lines.slice(from, index), blanks), place);
}

/** The part of a block from line `index` on, without the empty lines it begins with; null when there is none. */
export function after({ lines, marks, to }: TextBlock, index: number): TextBlock | null {
  let from = index;
  while (from < to && lines[from] === '') from++;
  return from < to ? { lines, from, to, marks, blanks: 0 } : null;
}
