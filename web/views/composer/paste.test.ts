import { describe, expect, it } from 'vitest';
import { pasted } from './paste.ts';

const clip = (plain: string, html = '') => ({ getData: (type: string) => (type === 'text/html' ? html : plain) });

describe('what is pasted', () => {
  it('makes a link of the words that were selected, when it is an address', () => {
    expect(pasted(clip('https://roost.example/'), { text: 'see this', from: 4, to: 8 })).toBe(
      '[this](https://roost.example/)',
    );
    expect(pasted(clip('https://roost.example/'), { text: 'see ', from: 4, to: 4 })).toBeUndefined();
  });

  it('is a table when it came from one', () => {
    expect(pasted(clip('Size\tPlace\n16\ta | b\n', '<table></table>'), { text: '', from: 0, to: 0 })).toBe(
      '| Size | Place |\n| --- | --- |\n| 16 | a \\| b |',
    );
    expect(pasted(clip('a\tb\nc'), { text: '', from: 0, to: 0 })).toBeUndefined();
    expect(pasted(clip('plain words'), { text: '', from: 0, to: 0 })).toBeUndefined();
    expect(pasted(clip('plain words', '<p>plain words</p>'), { text: '', from: 0, to: 0 })).toBeUndefined();
  });
});
