import { describe, expect, it } from 'vitest';
import { isMatch, matchesAmong } from './matching.ts';

describe('a channel rule matches (protocol/bots#channel-rules)', () => {
  it.each([
    [['deploy'], 'please Deploy it', true],
    [['deploy'], 'deployed', false],
    [['deploy'], 'predeploy deploy.', true],
    [['roll back'], 'ROLL BACK now', true],
    [['roll back'], 'roll  back', false],
    [['a', 'ß'], 'Straße ß', true],
    [['boot'], 'Boote', false],
    [['ab'], 'abab ab_ _ab', false],
    [['c++'], 'in c++!', true],
    [['😀'], 'x😀y', false],
  ])('words %j in %j: %s', (words, content, expected) => {
    expect(isMatch({ words, pattern: null }, content)).toBe(expected);
  });

  it.each([
    ['(?i)build #[0-9]+ failed', 'Build #7 FAILED', true],
    ['^build', 'the build', false],
    ['(?P<id>JIRA-[0-9]+)', 'see JIRA-12', true],
    ['(a+)+$', `${'a'.repeat(9_000)}!`, false],
    ['(', '(', false],
  ])('pattern %s in %j: %s', (pattern, content, expected) => {
    expect(isMatch({ words: [], pattern }, content)).toBe(expected);
  });
});

it('lets others have their turn after each rule, of which ten may take long', async () => {
  const rules = Array.from({ length: 10 }, (_, n) => ({ words: [n % 2 === 0 ? 'load' : 'unload'], pattern: null }));
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns++) await new Promise(setImmediate);
  })();
  expect(await matchesAmong(rules, 'load it')).toEqual(rules.filter((_, n) => n % 2 === 0));
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(rules.length);
});
