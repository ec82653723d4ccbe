import { describe, expect, it } from 'vitest';
import { isMatch } from './match.ts';

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
