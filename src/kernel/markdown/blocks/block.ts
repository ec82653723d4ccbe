import type { Element, Html } from '../tree.ts';
import { type LineMarks, lineMarks } from './line-marks.ts';

/**
 * Lines without an empty line between them: `lines[from..to)`. The rest of a block shares its lines with the whole
 * block.
 */
export interface TextBlock {
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly marks: LineMarks;
  /** How many empty lines precede the block. */
  readonly blanks: number;
}

/** The surroundings of a block, which determine what a paragraph becomes. */
export interface BlockContext {
  /** In `list`, text of items has no paragraphs; in `looselist`, the first item of a continued list has. */
  readonly mode: 'plain' | 'list' | 'looselist' | 'detabbed';
  /** Number of enclosing lists and quotes; 0 to MAX_DEPTH. */
  readonly depth: number;
  readonly parser: BlockParser;
  /** Contexts of nested blocks, cached. */
  list: BlockContext | undefined;
  looseList: BlockContext | undefined;
  detabbed: BlockContext | undefined;
  quote: BlockContext | undefined;
}

/** Creates a context without cached ones. */
export function placeAt(mode: BlockContext['mode'], depth: number, parser: BlockParser): BlockContext {
  return { mode, depth, parser, list: undefined, looseList: undefined, detabbed: undefined, quote: undefined };
}

/** Returns the context of blocks in a list. */
export function inList(place: BlockContext): BlockContext {
  return (place.list ??= placeAt('list', place.depth + 1, place.parser));
}

/** Returns the context of blocks in a list that continues after an empty line. */
export function inLooseList(place: BlockContext): BlockContext {
  return (place.looseList ??= placeAt('looselist', place.depth + 1, place.parser));
}

/** Returns the context of the same lines without their indentation. */
export function detabbed(place: BlockContext): BlockContext {
  return (place.detabbed ??= placeAt('detabbed', place.depth, place.parser));
}

/** Returns the context of blocks in a quote. */
export function inQuote(place: BlockContext): BlockContext {
  return (place.quote ??= placeAt('plain', place.depth + 1, place.parser));
}

/** What the rules need from the parser and the message. */
export interface BlockParser {
  parseLines(parent: Element, lines: readonly string[], place: BlockContext): void;
  /** The same as `parseLines` for a single line, without creating arrays. */
  parseLine(parent: Element, line: string, place: BlockContext, blanks?: number): void;
  parseBlock(parent: Element, block: TextBlock, place: BlockContext): void;
  codeBlock(word: string | undefined, code: string): Html;
  mathBlock(source: string): Html;
  readonly indentedCode: boolean;
}

/** A rule of protocol/markdown#blocks. */
export interface Rule {
  /** The traits, as bits, without which the rule never applies: a block needs one of them. 0 if it needs none. */
  readonly needs: number;
  /** Parses a block; returns what is left of it, or null for nothing; undefined if the rule does not apply. */
  readonly parse: (parent: Element, block: TextBlock, place: BlockContext) => TextBlock | null | undefined;
}

/** Deepest nesting of lists and quotes; deeper ones stay text (protocol/markdown#blocks). */
export const MAX_DEPTH = 30;

export function textBlock(lines: readonly string[], blanks = 0, marks = lineMarks(lines)): TextBlock {
  return { lines, from: 0, to: lines.length, marks, blanks };
}

/** Returns the lines of a block as an array. */
export function linesOf(block: TextBlock): readonly string[] {
  return block.from === 0 && block.to === block.lines.length ? block.lines : block.lines.slice(block.from, block.to);
}

/** Parses the lines of a block before line `index`, if there are any, as a separate block. */
export function parseBefore(
  parent: Element,
  { lines, from, blanks }: TextBlock,
  index: number,
  place: BlockContext,
): void {
  if (index === from + 1) place.parser.parseLine(parent, lines[from] ?? '', place, blanks);
  else if (index > from) place.parser.parseBlock(parent, textBlock(lines.slice(from, index), blanks), place);
}

/** Returns the block from line `index` on, without leading empty lines; null if nothing is left. */
export function after({ lines, marks, to }: TextBlock, index: number): TextBlock | null {
  let from = index;
  while (from < to && lines[from] === '') from++;
  return from < to ? { lines, from, to, marks, blanks: 0 } : null;
}
