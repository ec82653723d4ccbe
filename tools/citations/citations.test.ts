import { describe, expect, it } from 'vitest';
import { findCitationFaults } from './citations.ts';

const lawful: Readonly<Record<string, string>> = {
  'docs/protocol/typing.md': '# Typing\n\n## Direct\n\n## A channel, or two\n',
  'docs/security.md': '# Security\n\n## Holes\n',
  'docs/decisions/0007-keys.md': '# Keys\n',
  'docs/README.md': 'See [typing](protocol/typing.md#direct) and [a site](https://example.org/a.md#b).\n',
  'src/a.ts': `/** See protocol/typing#direct. */\nexport const a = { source: 'protocol/typing#direct, protocol/typing' };\n`,
  'src/a.test.ts': `it('holds (protocol/typing#a-channel-or-two, step 3; security#holes, row 7; decision 0007)');\n`,
};

function faultsWith(files: Readonly<Record<string, string>>): readonly string[] {
  return findCitationFaults(Object.entries({ ...lawful, ...files }).map(([path, text]) => ({ path, text })));
}

describe('citations', () => {
  it('pass where each leads to a heading', () => {
    expect(faultsWith({})).toEqual([]);
  });

  it.each([
    ['a page that is not there', 'protocol/tying#direct', 'no page docs/protocol/tying.md'],
    ['a heading that is not there', 'protocol/typing#indirect', 'no heading #indirect in docs/protocol/typing.md'],
    ['a heading of another page', 'security#direct', 'no heading #direct in docs/security.md'],
    ['a decision that is not there', 'decision 0008', 'no decision 0008'],
  ])('fail for %s', (_, citation, says) => {
    expect(faultsWith({ 'test/b.ts': `one\n// See ${citation}.\n` })).toEqual([`test/b.ts:2: ${says}`]);
  });

  // In pieces, so that the check does not find this file.
  it.each([
    ['Contract', 'surrounding 3.3'],
    ['contract', '2.7.1'],
    ['contract', 'decision 12'],
    ['Contract\n *', 'register 4.4.13'],
    ['api', '4.6'],
    ['operations\n *', '4.5'],
    ['security', '7'],
    ['the order of ', 'W5'],
  ])('fail for what is cited as "%s %s"', (...pieces) => {
    const [fault, ...others] = faultsWith({
      'src/b.ts': `/**\n * Says (${pieces.join(' ').replace('  ', ' ')}).\n */\n`,
    });
    expect(fault).toMatch(/^src\/b\.ts:2: cites what is not in the repository: /);
    expect(others).toEqual([]);
  });

  it('fail for a declaration whose source is anything else', () => {
    expect(faultsWith({ 'src/b.ts': `const SOURCE = 'what clients do';\n` })).toEqual([
      'src/b.ts:1: a source that is no citation: what clients do',
    ]);
  });

  it('fail for a link of a page that leads nowhere', () => {
    expect(faultsWith({ 'docs/a.md': 'a\n[b](b.md) [c](protocol/typing.md#c)\n' })).toEqual([
      'docs/a.md:2: no page docs/b.md',
      'docs/a.md:2: no heading #c in docs/protocol/typing.md',
    ]);
  });

  it('take no line of a code block for a heading', () => {
    expect(faultsWith({ 'docs/protocol/users.md': '## Names\n\n```\n## Names\n```\n' })).toEqual([]);
  });

  it('fail for two headings of one page that a link could mean', () => {
    expect(faultsWith({ 'docs/protocol/users.md': '## Names\n\n## Names\n' })).toEqual([
      'docs/protocol/users.md: two headings are #names',
    ]);
  });
});
