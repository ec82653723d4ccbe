import { describe, expect, it } from 'vitest';
import { toPlainText } from './plain-text.ts';
import { processorMs } from '../../../test/support/processor.ts';

describe('rendered content as plain text', () => {
  it.each([
    ['<p>Hello <strong>you</strong> &amp; me</p>', 'Hello you & me'],
    ['<p>one</p>\n<p>two<br>\nthree</p>', 'one\ntwo\nthree'],
    ['<p>a <span class="user-mention" data-user-id="7">@Max</span></p>', 'a @Max'],
    ['<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span> x</p>', '\u{1f389} x'],
    ['<p><span class="emoji emoji-1f468-1f3fd" title="man">:man:</span></p>', '\u{1f468}\u{1f3fd}'],
    ['<p><img alt=":roost:" class="emoji" src="/x.png" title="a &gt; b"> hi</p>', ':roost: hi'],
    ['<blockquote>\n<p>old <em>words</em></p>\n</blockquote>\n<p>new</p>', '[…]\nnew'],
    [
      '<div class="spoiler-block"><div class="spoiler-header"><p>End</p></div><div class="spoiler-content" aria-hidden="true"><p>He <b>dies</b><br></p></div></div><p>ok</p>',
      'End\n(…)\nok',
    ],
    ['<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;</p>', '<script>alert(1)</script> &lt;'],
    ['', ''],
  ])('of %s', (rendered, text) => {
    expect(toPlainText(rendered)).toBe(text);
  });

  it('ends soon, whatever it is given', async () => {
    for (const part of ['<', '<a "', "<a '", '<p x="">', '&amp', '<div class="spoiler-content">', '</p>']) {
      expect(await processorMs(() => toPlainText(part.repeat(20_000)))).toBeLessThan(1_000);
    }
  });
});
