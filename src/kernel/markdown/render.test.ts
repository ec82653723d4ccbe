import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../../../test/support/hostile-texts.ts';
import { least, processorMs } from '../../../test/support/processor.ts';
import { renderMarkdown } from './index.ts';
import { makeWorld } from './testing.ts';
import { renderCases } from './testing-cases.ts';

const world = makeWorld();
const htmlOf = async (text: string) => (await renderMarkdown(text, world)).html;

describe.each(Object.entries(renderCases))('rendering of %s', (_name, cases) => {
  it.each(cases)('%j', async (text, html) => {
    expect(await htmlOf(text)).toBe(html);
  });
});

describe('the result of rendering', () => {
  it.each([
    ['@**Max Member** and @_**Max Member**', { mentionedUserIds: new Set([4]) }],
    ['@_**Max Member** alone', { mentionedUserIds: new Set() }],
    ['> @**Max Member**', { mentionedUserIds: new Set() }],
    ['@*support*', { mentionedGroupIds: new Set([21]), mentionedUserIds: new Set() }],
    ['@**all**', { mentionsChannel: true, mentionsTopic: false }],
    ['@**topic** and `@**all**`', { mentionsChannel: false, mentionsTopic: true }],
    ['see https://example.com', { hasLink: true, hasImage: false, hasAttachment: false }],
    ['https://example.com/a.png', { hasLink: true, hasImage: true }],
    ['[it](/user_uploads/1/ab/c.txt) `/user_uploads/1/no`', { attachmentPathIds: ['1/ab/c.txt'], hasAttachment: true }],
    ['/me waves', { isMeMessage: true }],
    ['/me packs\n\n- a hat\n- a coat', { isMeMessage: true }],
    ['/me', { isMeMessage: false }],
    ['/meow at', { isMeMessage: false }],
    ['nothing', { isMeMessage: false, hasLink: false, widget: undefined, attachmentPathIds: [] }],
  ])('says what %j contains', async (text, findings) => {
    expect(await renderMarkdown(text, world)).toMatchObject(findings);
  });
});

const VOID = new Set(['br', 'hr', 'img']);
const SCHEME = /^(?:https?:|mailto:|\/|#)/;

/** Returns the faults of HTML: unbalanced elements, and elements and attributes that could run or load something. */
function faults(html: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes, isImplied) {
      if (/^(?:script|style|iframe|object|form|base|meta)$/.test(name)) found.push(`<${name}>`);
      if (isImplied) found.push(`implied <${name}>`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute.startsWith('on')) found.push(attribute);
        if (/^(?:href|src)$/.test(attribute) && !SCHEME.test(value)) found.push(`${attribute}=${value}`);
      }
      if (!VOID.has(name)) open.push(name);
    },
    onclosetag(name, isImplied) {
      if (isImplied ? !VOID.has(name) : open.at(-1) !== name) found.push(`</${name}>`);
      if (!VOID.has(name)) open.pop();
    },
  });
  parser.end(html);
  return [...found, ...open];
}

const MARKS =
  '* ** *** _ ~~ ` `` ``` ~~~ > - 1. # | --- [ ]( ) ![ < > & : :tada: @** @* #** $$ \\ http:// javascript: www. me@x.test " \' = onload= \u0000 \u202e 👍'
    .split(' ')
    .concat([
      ' ',
      '  ',
      '    ',
      '\n',
      '\n\n',
      '\t',
      'word',
      'Max Member',
      'spoiler',
      'quote',
      'math',
      '<script>',
      '<img src=x onerror=y>',
    ]);
const hostile = fc.array(fc.constantFrom(...MARKS), { maxLength: 60 }).map((parts) => parts.join(''));

describe('any text', () => {
  it('is rendered as balanced elements that run nothing', async () => {
    expect(faults('<p><b></p></b>')).not.toEqual([]);
    expect(faults('<p onclick="x"><a href="javascript:y">z</a></p>')).toEqual(['onclick', 'href=javascript:y']);
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 80 })), async (text) => {
        expect(faults(await htmlOf(text))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('in the syntax that all dialects share is rendered as by markdown-it', async () => {
    const peer = new MarkdownIt({ breaks: true });
    const word = fc.constantFrom('kettle', 'tea', 'five', 'o’clock', '42', 'snow');
    const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(' '));
    const span = fc.oneof(
      words,
      fc.tuple(fc.constantFrom('*', '**', '`'), words).map(([mark, inner]) => mark + inner + mark),
      words.map((inner) => `[${inner}](https://example.com/x)`),
    );
    const line = fc.array(span, { minLength: 1, maxLength: 4 }).map((spans) => spans.join(' '));
    const block = fc.oneof(
      fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
      fc.array(line, { minLength: 2, maxLength: 4 }).map((lines) => lines.map((one) => `- ${one}`).join('\n')),
      fc
        .array(line, { minLength: 2, maxLength: 4 })
        .map((lines) => lines.map((one, n) => `${n + 1}. ${one}`).join('\n')),
      line.map((one) => `> ${one}`),
      fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([level, one]) => `${'#'.repeat(level)} ${one}`),
      words.map((one) => `\`\`\`\n${one}\n\`\`\``),
    );
    // Dialects differ in how they render adjacent lists and quotes, so there is a paragraph between blocks.
    const text = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join('\n\nand\n\n'));
    await fc.assert(
      fc.asyncProperty(text, async (source) => {
        expect(outline(await htmlOf(source))).toEqual(outline(peer.render(source)));
      }),
      { numRuns: 500 },
    );
  });

  it('takes time in proportion to its length', async () => {
    for (const mark of MARKS.filter((one) => one.trim() !== '')) {
      await htmlOf(mark.repeat(10));
      const text = mark.repeat(Math.floor(100_000 / mark.length));
      expect(await least(2000, () => processorMs(() => htmlOf(text))), mark).toBeLessThan(2000);
    }
  });

  it.each(Object.entries(hostileTexts(50_000)))(
    'takes no longer if it is known to slow renderers down: %s',
    async (_, text) => {
      expect(await least(1000, () => processorMs(() => htmlOf(text)))).toBeLessThan(1000);
    },
  );
});

/** Returns elements and words in their order, without elements that only some dialects write. */
function outline(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name) => found.push(`<${name}>`),
    ontext: (text) => found.push(...text.split(/\s+/).filter(Boolean)),
  });
  parser.end(html);
  return found.filter((one) => !/^<(?:div|span)>$/.test(one));
}
