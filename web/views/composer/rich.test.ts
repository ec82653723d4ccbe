import { describe, expect, it } from 'vitest';
import { STYLE } from '../../rendered/index.ts';
import { markdownOf, type RichNode } from './rich.ts';

type Content = string | RichNode;
const text = (nodeValue: string): RichNode => ({ nodeName: '#text', nodeValue, childNodes: [] });
const el = (
  nodeName: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly Content[]
): RichNode => ({
  nodeName,
  nodeValue: null,
  childNodes: content.map((one) => (typeof one === 'string' ? text(one) : one)),
  getAttribute: (name) => attributes[name] ?? null,
});
const plain = (nodeName: string, ...content: readonly Content[]) => el(nodeName, {}, ...content);
const body = (...content: readonly Content[]) => markdownOf(plain('BODY', ...content));

describe('formatted text that is pasted', () => {
  it('keeps what is set off, and links', () => {
    expect(
      body(
        plain(
          'P',
          'A ',
          plain('B', 'bold '),
          plain('EM', 'word'),
          ',\n   ',
          plain('DEL', 'gone'),
          ' and ',
          plain('CODE', 'x = 1'),
        ),
        plain(
          'P',
          el('A', { href: 'https://roost.example/' }, 'a link'),
          ' ',
          el('A', { href: '#here' }, 'none'),
          ' ',
          el('A', { href: 'https://a.example/' }, 'https://a.example'),
        ),
      ),
    ).toBe('A **bold** *word*, ~~gone~~ and `x = 1`\n\n[a link](https://roost.example/) none https://a.example');
  });

  it('keeps headings, quotes, code and lists in lists', () => {
    expect(
      body(
        plain('H2', 'Birds'),
        plain(
          'UL',
          plain('LI', 'rook', plain('OL', plain('LI', 'beak'), plain('LI', 'wing'))),
          '\n',
          plain('LI', 'wren'),
        ),
        plain('BLOCKQUOTE', plain('P', 'caw'), plain('P', 'caw')),
        plain('PRE', plain('CODE', 'if (x) {\n  y\n}\n')),
      ),
    ).toBe('## Birds\n\n- rook\n  1. beak\n  2. wing\n- wren\n\n> caw\n>\n> caw\n\n```\nif (x) {\n  y\n}\n```');
  });

  it('reads styles as programs for documents write them', () => {
    expect(
      body(
        el(
          'B',
          { [STYLE]: 'font-weight:normal' },
          plain(
            'P',
            el('SPAN', { [STYLE]: 'font-weight:700' }, 'bold'),
            ' ',
            el('SPAN', { [STYLE]: 'font-style: italic' }, 'slanted'),
          ),
        ),
      ),
    ).toBe('**bold** *slanted*');
  });

  it('leaves out what is not text, and ends in what is nested too deep', () => {
    expect(body(plain('STYLE', 'p { color: red }'), plain('SCRIPT', 'alert(1)'), 'words')).toBe('words');
    let deep = plain('DIV', 'bottom');
    for (let level = 0; level < 5000; level++) deep = plain('DIV', deep);
    expect(body(deep)).toBe('');
  });
});
