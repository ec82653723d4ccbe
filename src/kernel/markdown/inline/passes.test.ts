import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autolinks } from './autolinks.ts';
import { channelLinks } from './channel-links.ts';
import { inlineCode } from './code.ts';
import { emojiNames } from './emoji.ts';
import { emoticonPass } from './emoticons.ts';
import { emphasis, strike, strong, strongEmphasis } from './emphasis.ts';
import { images } from './images.ts';
import { links } from './links.ts';
import { inlineMath } from './math.ts';
import { groupMentions, userMentions } from './mentions.ts';
import { SYNTAX_TRIGGERS } from './passes.ts';
import { times } from './times.ts';
import { CodeBlocks } from '../code/code-blocks.ts';
import { noFacts } from '../facts.ts';
import { Formulas } from '../formulas/formulas.ts';
import { Lookups } from '../lookups.ts';
import { makeWorld } from '../testing.ts';
import { Stash } from './stash.ts';

const inner = (text: string): string => text;
const context = () => ({
  lookups: new Lookups(makeWorld({ translateEmoticons: true })),
  facts: noFacts(),
  stash: new Stash(),
  formulas: new Formulas(),
  code: new CodeBlocks(),
  quoted: false,
});
const SYNTAXES = {
  autolinks,
  channelLinks,
  inlineCode,
  emojiNames,
  emoticonPass,
  emphasis: emphasis(inner),
  strike: strike(inner),
  strong: strong(inner),
  strongEmphasis: strongEmphasis(inner),
  images,
  links,
  inlineMath,
  groupMentions,
  userMentions,
  times,
};
/** Pieces of which every syntax can be made. */
const PIECES = ['**', '*', '_', '~~', '`', '$$', '@', '#', '<time:', '>', '[', '](', '!', ')', ':)', ':', ';)', '<3'];
const WORDS = ['a', ' ', '\n', 'http', '//', 'www', '.', 'example.com', 'smile', '2026-01-01', 'mona', '|'];
const texts = fc.array(fc.constantFrom(...PIECES, ...WORDS), { maxLength: 20 }).map((parts) => parts.join(''));

describe.each(Object.entries(SYNTAXES))('the syntax %s', (_name, { triggers, pass }) => {
  it('finds nothing where none of its triggers stands', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const without = [...text].filter((unit) => !triggers.includes(unit)).join('');
        expect(pass(without, context())).toBe(without);
      }),
    );
  });

  it('has triggers that texts are looked through for', () => {
    expect(triggers).not.toBe('');
    for (const unit of triggers) expect(SYNTAX_TRIGGERS).toContain(unit);
  });
});
