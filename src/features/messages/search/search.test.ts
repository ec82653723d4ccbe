import { describe, expect, it } from 'vitest';
import { highlight } from './highlight.ts';
import { stem } from './stem.ts';
import { parseSearch } from './words.ts';

describe('search', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['agreed', 'agre'],
    ['hopping', 'hop'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['relational', 'relat'],
    ['hopefulness', 'hope'],
    ['adjustment', 'adjust'],
    ['adoption', 'adopt'],
    ['controll', 'control'],
    ['größer', 'größer'],
  ])('stems %s to %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it('wraps words of the same stem and literal parts, but neither tags nor entities', () => {
    const html = '<p class="jump">Jumping &amp; <b>amp</b> a&lt;b jumps</p>';
    const mark = (text: string) => `<span class="highlight">${text}</span>`;
    expect(highlight(html, parseSearch(['jump "a<b"']))).toBe(
      `<p class="jump">${mark('Jumping')} &amp; <b>amp</b> ${mark('a&lt;b')} ${mark('jumps')}</p>`,
    );
    expect(highlight(html, parseSearch(['amp']))).toBe(html.replace('<b>amp', `<b>${mark('amp')}`));
  });
});
