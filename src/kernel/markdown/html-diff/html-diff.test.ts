import fc from 'fast-check';
import { parseFragment, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { least, processorMs } from '../../../../test/support/processor.ts';
import { loadContentHtmlDiff } from '../index.ts';

const contentHtmlDiff = await loadContentHtmlDiff();

const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

/** Makes HTML comparable: white space around tags may differ (protocol/markdown#differences). */
function loose(html: string): string {
  return html.replace(/\s+/g, ' ').replace(/ ?(<[^>]+>) ?/g, '$1');
}

describe('the diff of an edit (protocol/markdown#differences)', () => {
  it.each([
    [
      'a replaced word',
      '<p>Meet at noon</p>',
      '<p>Meet at three</p>',
      `<div><p>Meet at ${inserted('three')} ${deleted('noon')}</p></div>`,
    ],
    [
      'a removed word',
      '<p>one two three four</p>',
      '<p>one three four</p>',
      `<div><p>one ${deleted('two')} three four</p></div>`,
    ],
    [
      'words removed at the start',
      '<p>very old tea is good tea</p>',
      '<p>tea is good tea</p>',
      `<div><p>${deleted('very old')} tea is good tea</p></div>`,
    ],
    [
      'bold words',
      '<p>a word here</p>',
      '<p>a <strong>word</strong> here</p>',
      '<div><p>a <strong>word</strong> here</p></div>',
    ],
    ['strikethrough', '<p>a <del>word</del> here</p>', '<p>a word here</p>', '<div><p>a word here</p></div>'],
    ['nothing left', '<p>gone now</p>', '', `<div>${deleted('gone now')}</div>`],
    [
      'a new picture',
      '<p>x</p>',
      '<p>x <img alt=":owl:" class="emoji" src="/o.png" title="owl"></p>',
      `<div><p>x ${inserted('<img alt=":owl:" class="emoji" src="/o.png" title="owl">')}</p></div>`,
    ],
    [
      'an emoji as one word',
      '<p>x</p>',
      '<p>x <span class="emoji emoji-1f44d" title="+1">:+1:</span></p>',
      `<div><p>x ${inserted('<span class="emoji emoji-1f44d" title="+1">:+1:</span>')}</p></div>`,
    ],
  ])('shows %s', (_, before, after, shown) => {
    expect(loose(contentHtmlDiff(before, after))).toBe(loose(shown));
  });

  it('shows the address of a link only when it changed', () => {
    const link = (href: string) => `<p>see the <a href="${href}">docs</a> first of all</p>`;
    expect(contentHtmlDiff(link('https://a.example/'), link('https://a.example/'))).not.toContain('Link:');
    const shown = contentHtmlDiff(link('https://old.example/'), link('https://new.example/'));
    expect(shown).toContain(inserted(' Link: https://new.example/'));
    expect(shown).toContain(deleted(' Link: https://old.example/'));
  });

  it('treats a few equal words in a big change as replaced', () => {
    const before = '<p>we met in the old hall at nine and drank tea</p>';
    const after = '<p>nobody came because the train from town stopped at the bridge</p>';
    expect(contentHtmlDiff(before, after).match(/highlight_text_deleted/g)).toHaveLength(1);
  });

  it('keeps escaped text escaped', () => {
    const shown = contentHtmlDiff('<p>&lt;b&gt; old</p>', '<p>&lt;img src=x onerror=alert(1)&gt; &amp;lt;</p>');
    expect(shown).toContain('&lt;img src=x onerror=alert(1)&gt; &amp;lt;');
    expect(shown).not.toMatch(/<img/);
  });

  it('is well nested and keeps the new text, whatever changed', () => {
    const word = fc.constantFrom(
      'red',
      'green',
      'blue',
      '&amp;',
      '<br>',
      '<strong>bold</strong>',
      '<a href="https://x.example/">link</a>',
    );
    const block = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => `<p>${words.join(' ')}</p>`);
    const html = fc.array(block, { maxLength: 4 }).map((blocks) => blocks.join('\n'));
    fc.assert(
      fc.property(html, html, (before, after) => {
        const shown = contentHtmlDiff(before, after);
        expect(serialize(parseFragment(shown))).toBe(shown);
        const kept = shown
          .replace(/<span class="highlight_text_deleted">.*?<\/span>/g, '')
          .replace(/<span class="highlight_text_inserted">(.*?)<\/span>/g, '$1')
          .replace(/ Link: \S+?(?=<| |$)/g, '');
        expect(plain(kept)).toBe(plain(after));
      }),
    );
  });

  it('gives up comparing when everything is different, and stays quick', async () => {
    const many = (name: string) => `<p>${Array.from({ length: 3000 }, (_, index) => `${name}${index}`).join(' ')}</p>`;
    let diff = '';
    const spent = await processorMs(() => (diff = contentHtmlDiff(many('a'), many('b'))));
    expect(diff.match(/highlight_text/g)).toHaveLength(2);
    expect(spent).toBeLessThan(500);
  });

  it('stays quick with thousands of highlights, each in a tag of its own', async () => {
    const cells = Array.from({ length: 4700 }, (_none, n) => `<td>${n % 8}</td>\n`).join('');
    const compare = () => contentHtmlDiff('<p>a</p>', `<table><tr>${cells}</tr></table>`);
    expect(await least(50, () => processorMs(compare))).toBeLessThan(50);
  });
});

function plain(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
