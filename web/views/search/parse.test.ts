import { describe, expect, it } from 'vitest';
import { parseSearch, termText } from './parse.ts';

const names = {
  channelNamed: (name: string) => ({ general: 5, 'big news': 6 })[name.toLowerCase()],
  personNamed: (name: string) => ({ me: 7, mia: 8, 'mia member': 8 })[name.toLowerCase()],
};
const parse = (text: string) => parseSearch(text, names);

describe('a search', () => {
  it.each([
    ['soup today', [{ operator: 'search', operand: 'soup today' }]],
    [
      'channel:general soup',
      [
        { operator: 'channel', operand: 5 },
        { operator: 'search', operand: 'soup' },
      ],
    ],
    [
      'stream:"Big news" subject:x',
      [
        { operator: 'channel', operand: 6 },
        { operator: 'topic', operand: 'x' },
      ],
    ],
    ['-from:mia', [{ operator: 'sender', operand: 8, negated: true }]],
    ['dm:mia,me', [{ operator: 'dm', operand: [7, 8] }]],
    ['channel:nowhere', [{ operator: 'channel', operand: 'nowhere' }]],
    [
      'is:starred has:link',
      [
        { operator: 'is', operand: 'starred' },
        { operator: 'has', operand: 'link' },
      ],
    ],
    ['"exact words" http://x.test', [{ operator: 'search', operand: '"exact words" http://x.test' }]],
    ['channel:', [{ operator: 'search', operand: 'channel:' }]],
    ['  ', []],
  ])('%s is understood', (text, expected) => expect(parse(text)).toEqual(expected));

  it('is written again as it was understood', () => {
    const nameOf = (operator: string, operand: unknown) => (operator === 'channel' ? 'big news' : String(operand));
    expect(parse('channel:"big news" -is:starred two words').map((term) => termText(term, nameOf))).toEqual([
      'channel:"big news"',
      '-is:starred',
      'two words',
    ]);
  });
});
