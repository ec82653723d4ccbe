import { describe, expect, it } from 'vitest';
import { channelsIn, mentionedIn, wildcardIn } from './mentioned.ts';

const idOf = (name: string) => (name === 'Mia Member' ? 8 : undefined);

describe('the people that a text mentions', () => {
  it('are those mentioned aloud, each once, and nobody in code or silently', () => {
    expect(mentionedIn('@**Mia Member** and @**Mia Member|8** and @**Max|5**', idOf)).toEqual([8, 5]);
    expect(mentionedIn('`@**Mia Member**` @_**Mia Member** @**Nobody**', idOf)).toEqual([]);
    expect(mentionedIn('```\n@**Mia Member**\n```', idOf)).toEqual([]);
  });

  it('is everybody by a wildcard', () => {
    expect(wildcardIn('@**all** lunch')).toBe('channel');
    expect(wildcardIn('@**topic** lunch')).toBe('topic');
    expect(wildcardIn('@**topic** @**everyone**')).toBe('channel');
    expect(wildcardIn('`@**all**` and @_**all**')).toBeUndefined();
  });
});

describe('the channels that a text links to', () => {
  it('are those of links to channels, topics and messages, and none in code', () => {
    expect(channelsIn('#**nest**, #**design>logo** and #**a b>c d@17**')).toEqual(['nest', 'design', 'a b']);
    expect(channelsIn('`#**nest**`, #nest, #**> and #****')).toEqual([]);
  });
});
