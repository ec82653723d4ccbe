import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citedText } from '../../../../test/support/protocol.ts';
import { SYNTAX_TRIGGERS, SYNTAXES } from './passes.ts';
import { CodeBlocks } from '../code/code-blocks.ts';
import { noFindings } from '../findings.ts';
import { Formulas } from '../formulas/formulas.ts';
import { renderMarkdown } from '../index.ts';
import { Lookups } from '../lookups.ts';
import { makeWorld } from '../testing.ts';
import { Stash } from './stash.ts';

const context = () => ({
  lookups: new Lookups(makeWorld({ translateEmoticons: true })),
  findings: noFindings(),
  stash: new Stash(),
  formulas: new Formulas(),
  code: new CodeBlocks(),
  quoted: false,
});
/** Pieces that every syntax consists of. */
const PIECES = ['**', '*', '_', '~~', '`', '$$', '@', '#', '<time:', '>', '[', '](', '!', ')', ':)', ':', ';)', '<3'];
const WORDS = ['a', ' ', '\n', 'http', '//', 'www', '.', 'example.com', 'smile', '2026-01-01', 'mona', '|'];
/** All ASCII punctuation. */
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const UNITS = [...SYNTAX_TRIGGERS].flatMap((unit) => [unit, unit.repeat(2)]);
const texts = fc
  .array(fc.constantFrom(...PIECES, ...UNITS, ...WORDS), { maxLength: 20 })
  .map((parts) => parts.join(''));

// Linkifiers have no triggers: people choose their patterns.
const triggered = SYNTAXES.filter(({ triggers }) => triggers !== '');

describe.each(triggered.map((syntax, place) => ({ ...syntax, place })))(
  'syntax $place, of $triggers',
  ({ triggers, pass }) => {
    it('finds nothing in a text without its triggers', () => {
      fc.assert(
        fc.property(texts, (text) => {
          const without = [...text].filter((unit) => !triggers.includes(unit)).join('');
          expect(pass(without, context())).toBe(without);
        }),
      );
    });

    it.each([1, 2, 3])('finds nothing between marks that are not its triggers, %i on each side', (times) => {
      for (const mark of [...PUNCTUATION].filter((unit) => !triggers.includes(unit))) {
        const marks = mark.repeat(times);
        const text = `one ${marks}x${marks}, two ${marks}x y${marks}`;
        expect(pass(text, context())).toBe(text);
      }
    });

    it('has triggers that are among those of all passes', () => {
      for (const unit of triggers) expect(SYNTAX_TRIGGERS).toContain(unit);
    });
  },
);

describe('the forms of protocol/markdown#emphasis', () => {
  expect(triggered.length).toBe(SYNTAXES.length - 1);
  const rows = citedText('protocol/markdown#emphasis').matchAll(/^\| `(\S+)` \|.*\| `(<\S+>)` \|$/gm);
  const forms = [...rows].map(([, form = '', tags = '']) => [form, tags] as const);

  it.each(forms)('%s gives %s', async (form, tags) => {
    const opened = [...tags.matchAll(/<(\w+)>/g)].map(([, tag]) => tag);
    const closed = opened.toReversed().map((tag) => `</${tag}>`);
    const { html } = await renderMarkdown(`one ${form}, two ${form}`, makeWorld());
    const made = `${tags}x${closed.join('')}`;
    expect(html).toBe(`<p>one ${made}, two ${made}</p>`);
  });
});
