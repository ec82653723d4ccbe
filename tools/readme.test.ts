import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '#kernel/config';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('lists every configuration variable, and no other', () => {
    const listed = [...readme.matchAll(/^\| `(ROOST_\w+)` \|/gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set<string>(VARIABLES.map(({ name }) => name)));
    expect(listed).toHaveLength(VARIABLES.length);
  });

  it('names only commands that package.json has', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    const named = [...readme.matchAll(/\bnpm (?:run )?(start|test|(?<=run )\w+)/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
