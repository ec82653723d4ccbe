import { describe, expect, it } from 'vitest';
import { findInLock, findInText } from './texts.ts';

describe('the rules for tracked texts', () => {
  it.each([
    ['a home folder', ['', 'home', 'olive', 'roost'].join('/')],
    ['a home folder of macOS', ['', 'Users', 'olive', 'roost'].join('/')],
    ['a home folder of Windows', ['C:', 'Users', 'olive'].join('\\')],
    ['a file beside the repository', ['..', 'shared', 'contract', 'cases.json'].join('/')],
    ['a registry', `https://${'registry'}.example.org/left-pad`],
  ])('find %s', (_, text) => {
    expect(findInText('a.md', `first line\nsee ${text}`)).toEqual([expect.stringMatching(/^a\.md:2: /)]);
  });

  it.each([
    'const DAY = 86_400;',
    'const DAY_MS = 86400000;',
    'const DAY = 24 * 3600;',
    'const DAY_MS = 24 * 60 * 60 * 1000;',
    'const DAY = 60 * 60 * 24;',
    'const WEEK = 604_800;',
    "topic === 'general chat'",
  ])('find what product code says that is declared elsewhere: %s', (text) => {
    expect(findInText('src/features/topics/rules.ts', text)).toHaveLength(1);
    expect(findInText('src/features/topics/rules.test.ts', text)).toEqual([]);
  });

  it('leave ordinary addresses and paths alone', () => {
    expect(findInText('a.md', 'https://chat.example.org/home/olive and src/work/x and /api/v1/users')).toEqual([]);
  });

  it('find download addresses in the lock file', () => {
    expect(findInLock('{"a": {"resolved": "x"}}')).toHaveLength(1);
    expect(findInLock('{"a": {"version": "1.0.0"}}')).toEqual([]);
  });
});
