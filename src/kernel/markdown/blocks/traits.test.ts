import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockHtml, element } from '../tree.ts';
import { type BlockContext, type BlockParser, placeAt, type TextBlock, textBlock } from './block.ts';
import { RULES } from './parser.ts';
import { traitsOf } from './traits.ts';

/** Beginnings and whole lines of which every rule's block can be made. */
const STARTS = ['', ' ', '  ', '    ', '# ', '## ', '> ', '>', '- ', '* ', '+ ', '1. ', '2) ', '| ', '|', '---', '***'];
const RESTS = ['', 'a', 'heron owl', '|---|---|', '-|-', ':-:|', 'a | b |', '#', '- b', '___', '1. c', 'é', '✔'];

const lines = fc
  .tuple(fc.constantFrom(...STARTS), fc.constantFrom(...RESTS))
  .map(([start, rest]) => start + rest)
  .filter((line) => line.trim() !== '');
const blocks = fc.array(lines, { minLength: 1, maxLength: 4 }).map((all) => textBlock(all));
const modes = fc.constantFrom<BlockContext['mode']>('plain', 'list', 'looselist', 'detabbed');

/** Parses nothing: the rules only show whether they apply. */
const parser: BlockParser = {
  parseLines: () => {},
  parseLine: () => {},
  parseBlock: () => {},
  codeBlock: () => blockHtml(''),
  mathBlock: () => blockHtml(''),
  indentedCode: true,
};

function parentOf(tag: string) {
  const parent = element(tag);
  parent.children.push(element('ul'));
  return parent;
}

describe.each(RULES.map((rule, place) => ({ rule, place })))(
  'block rule $place',
  ({ rule: { needs, parse }, place }) => {
    const has = (block: TextBlock) => needs === 0 || (needs & traitsOf(block)) !== 0;

    it('applies to no block without a trait that it needs', () => {
      fc.assert(
        fc.property(blocks, modes, fc.constantFrom('root', 'li'), (block, mode, tag) => {
          if (has(block)) return;
          expect(parse(parentOf(tag), block, placeAt(mode, 0, parser))).toBeUndefined();
        }),
        { numRuns: 500 },
      );
    });

    it('applies to some blocks with one', () => {
      const applies = fc.sample(blocks, { numRuns: 2000, seed: place }).some((block) => {
        return has(block) && parse(parentOf('root'), block, placeAt('plain', 0, parser)) !== undefined;
      });
      expect(applies).toBe(true);
    });
  },
);

/** The parser takes single lines that begin with a letter for paragraphs, without a look at the rules. */
it('no block of one line that begins with a letter has a trait', () => {
  fc.assert(
    fc.property(fc.constantFrom('a', 'é', 'ж', 'Z'), lines, (letter, rest) => {
      expect(traitsOf(textBlock([letter + rest]))).toBe(0);
    }),
  );
});
