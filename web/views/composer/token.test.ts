import { describe, expect, it } from 'vitest';
import { tokenAt } from './token.ts';

describe('what is being typed', () => {
  it.each([
    ['@mi', { kind: 'mention', query: 'mi', from: 0, isSilent: false }],
    ['hi @_Mia Mem', { kind: 'mention', query: 'Mia Mem', from: 3, isSilent: true }],
    ['hi @**Mia', { kind: 'mention', query: 'Mia', from: 3, isSilent: false }],
    ['(@', { kind: 'mention', query: '', from: 1, isSilent: false }],
    ['see #des', { kind: 'channel', query: 'des', from: 4 }],
    ['see #**design>lo', { kind: 'topic', query: 'lo', channel: 'design', from: 4 }],
    ['nice :tad', { kind: 'emoji', query: 'tad', from: 5 }],
    ['/po', { kind: 'command', query: 'po', from: 0 }],
    ['a\n```ty', { kind: 'language', query: 'ty', from: 5 }],
  ])('in %j is %j', (text, token) => {
    expect(tokenAt(text, text.length)).toEqual({ ...token, typed: text.slice(token.from) });
  });

  it.each([
    'mail me@home',
    'a :b',
    'at 10:30',
    '`@mi',
    '```\n@mi',
    'a\n/po',
    '@Mia is not who I mean here',
    '@**Mia Member** ',
    'x#y',
  ])('in %j is nothing', (text) => {
    expect(tokenAt(text, text.length)).toBeUndefined();
  });
});
