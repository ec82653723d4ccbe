import { assert, property, string } from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { onlyParagraph } from './only-paragraph.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** What a parser makes of a text: names of elements, and texts. */
function shape(node: Node): unknown {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? [node.nodeName, ...node.childNodes.map(shape)] : node.nodeName;
}

describe('a message that is one paragraph of words', () => {
  it('is what a parser finds in it, whatever the words are', () => {
    const words = string({ unit: 'binary', maxLength: 12 });
    assert(
      property(words, (text) => {
        const html = `<p>${text}</p>`;
        const found = onlyParagraph(html);
        if (found === undefined) return;
        const texts = found === '' ? [] : [found];
        expect(parseFragment(html).childNodes.map(shape)).toEqual([['p', ...texts]]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['<p>one</p><p>two</p>', '<p>a &amp; b</p>', '<p>a <b>b</b></p>', '<p>a', 'a', '<p>a\r\nb</p>'])(
    'is not %j',
    (html) => expect(onlyParagraph(html)).toBeUndefined(),
  );

  it.each(['', 'hello', 'two\nlines', 'Größe 😀'])('is %j in a paragraph', (text) =>
    expect(onlyParagraph(`<p>${text}</p>`)).toBe(text),
  );
});
