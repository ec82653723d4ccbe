import { describe, expect, it } from 'vitest';
import { quoteOf } from './quoting.ts';

describe('a quote', () => {
  it('names who said it without telling them, and links to it', () => {
    const said = { name: 'Ada', id: 7, link: 'http://x/#narrow/near/3', content: 'Hello' };
    expect(quoteOf(said)).toBe('@_**Ada|7** [said](http://x/#narrow/near/3):\n```quote\nHello\n```\n');
  });

  it('has a fence that is longer than any in the words', () => {
    const content = '`````quote\n```\ncode\n```\n`````';
    expect(quoteOf({ name: 'Ada', id: 7, link: '', content })).toContain('\n``````quote\n`````quote');
  });
});
