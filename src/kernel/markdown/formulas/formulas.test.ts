import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderMarkdown } from '../index.ts';
import { makeWorld } from '../testing.ts';
import { drawingThread } from './drawing-thread.ts';

const world = makeWorld();
const htmlOf = async (text: string) => (await renderMarkdown(text, world)).html;
const countOf = (html: string, part: string) => html.split(part).length - 1;

/** Repeats a piece of a formula up to `length` characters. */
const long = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length));

describe('formulas of one message', () => {
  it('are shown where they were written, including repeated ones and fences', async () => {
    const html = await htmlOf('$$a$$ then $$b$$ then $$a$$\n\n```math\nc\n\nd\n```');
    const sources = [...html.matchAll(/<annotation[^>]*>(.)<\/annotation>/g)].map(([, source]) => source);
    expect(sources).toEqual(['a', 'b', 'a', 'c', 'd']);
    expect(countOf(html, 'katex-display')).toBe(2);
  });

  it('may contain backticks and line breaks', async () => {
    expect(await htmlOf('$$a `b\nc` d$$ $$e$$')).toMatch(/a `b\nc` d<\/annotation>.*>e<\/annotation>/s);
  });

  it('are shown as errors if they are invalid, without affecting others', async () => {
    const html = await htmlOf('$$\\frac{<b>$$ and $$a$$');
    expect(html).toMatch(/^<p><span class="tex-error">\$\$\\frac\{&lt;b&gt;\$\$<\/span> and <span class="katex">/);
  });

  it('are drawn up to 1,000 characters each and 6,000 of all different ones', async () => {
    expect(await htmlOf(`$$${'a'.repeat(1000)}$$`)).toContain('class="katex"');
    expect(await htmlOf(`$$${'a'.repeat(1001)}$$ $$b$$`)).toMatch(/tex-error.*class="katex"/);
    const seven = Array.from({ length: 7 }, (_, index) => `$$${index}${'a'.repeat(998)}$$`).join(' ');
    const html = await htmlOf(seven);
    expect([countOf(html, 'class="katex"'), countOf(html, 'tex-error')]).toEqual([6, 1]);
  });

  it('become 200,000 characters of HTML at most, as often as each is shown', async () => {
    const { length } = await htmlOf('$$a$$');
    const most = Math.floor(200_000 / (length - '<p></p>'.length));
    expect(countOf(await htmlOf('$$a$$ '.repeat(most)), 'class="katex"')).toBe(most);
    const tooOften = await htmlOf(`${'$$a$$ '.repeat(most + 1)} $$b$$`);
    expect([countOf(tooOften, 'class="katex"'), countOf(tooOften, 'tex-error')]).toEqual([1, most + 1]);
    const tooLong = await htmlOf(`$$${long('é', 990)}$$ $$a$$`);
    expect([countOf(tooLong, 'class="katex"'), countOf(tooLong, 'tex-error')]).toEqual([0, 2]);
  });

  it('may define macros, which cannot expand a small formula to a large one', async () => {
    expect(await htmlOf('$$\\def\\half{\\frac12}\\half+\\half$$')).toContain('class="katex"');
    const six = Array.from({ length: 6 }, (_, index) => `$$\\def\\a{${index}}\\a$$`).join(' ');
    const html = await htmlOf(`${six} $$a$$`);
    expect([countOf(html, 'class="katex"'), countOf(html, 'tex-error')]).toEqual([6, 1]);
    const copies = `$$\\def\\a#1{${'#1'.repeat(60)}}\\a{${'a'.repeat(100)}}$$`;
    expect(await htmlOf(copies)).toContain('tex-error');
    for (const definition of ['\\def', '\\gdef', '\\edef', '\\xdef', '\\newcommand', '\\providecommand'])
      expect(await htmlOf(`$$${definition}\\a{${'a'.repeat(60)}}${'\\a'.repeat(40)}$$`)).toContain('tex-error');
  });

  it('are not mixed up with those of messages rendered at the same time', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `$$x_{${index}}$$`);
    const pages = await Promise.all(texts.map(htmlOf));
    for (const [index, page] of pages.entries()) expect(page).toContain(`>x_{${index}}</annotation>`);
  });

  it('are drawn without blocking the event loop', async () => {
    await htmlOf('$$a$$');
    let turns = 0;
    let done = false;
    const rendered = htmlOf(`$$${long('\\frac{a}{b}', 990)}$$`).finally(() => (done = true));
    for (; !done; turns++) await turn();
    expect(await rendered).toContain('class="katex"');
    // One turn passes also where nothing else could run meanwhile.
    expect(turns).toBeGreaterThan(1);
  });
});

describe('the thread that draws formulas', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is ended if it takes too long, and a new one draws the next formulas', async () => {
    const thread = drawingThread(2000);
    const sources = Array.from({ length: 20_000 }, () => long('\\frac{a}{b}', 990)).join('\n\n');
    const endless = thread.ask({ sources, displayed: 0, maxLength: Number.MAX_SAFE_INTEGER });
    const next = thread.ask({ sources: 'a\n\n\\frac\n\nb', displayed: 2, maxLength: 1000 });
    expect(await endless).toEqual({ html: '', lengths: [] });
    const { html, lengths } = await next;
    expect(lengths).toEqual([html.indexOf('<span class="katex"><', 30), 0, expect.any(Number)]);
  });

  it('does not end the server if it fails, and a new one draws the next formulas', async () => {
    const thread = drawingThread();
    expect(await thread.ask({ sources: undefined } as never)).toEqual({ html: '', lengths: [] });
    expect((await thread.ask({ sources: 'a', displayed: 0, maxLength: 1000 })).html).toContain('class="katex"');
  });

  it('does not log characters without font metrics', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const html = await htmlOf('$$a 👍 b$$');
    await htmlOf('$$and another$$');
    expect(html).toContain('class="katex"');
    expect(written).not.toHaveBeenCalled();
  });
});
