import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { USER_SETTINGS } from '#features/user-settings';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** The page on which they are set is no place that heeds them. */
const SET_IN = /notifications-page\.tsx$|\.test\.tsx?$|[/\\]words[/\\]/;

function sourcesIn(folder: string): string {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => /\.tsx?$/.test(name) && !SET_IN.test(`/${name}`));
  return sources.map((name) => read(join(folder, name))).join('\n');
}

describe('the list of settings of notifications (docs/notifications.md)', () => {
  const rows = new Map(
    [...read('docs/notifications.md').matchAll(/^\| `(enable_\w+)` \| (.+?) \|(?: `([^`]+)`)? \|$/gm)].map(
      ([, name = '', effect = '', place]) => [name, { effect, place }],
    ),
  );

  it('has a row for each that is declared, and no other', () => {
    const declared = Object.keys(USER_SETTINGS).filter((name) => name.startsWith('enable_'));
    expect([...rows.keys()].toSorted()).toEqual(declared.toSorted());
  });

  it('names a folder whose code heeds it, or says that it has no effect', () => {
    const sources = new Map<string, string>();
    for (const [name, { effect, place }] of rows) {
      if (place === undefined) {
        expect(effect, name).toMatch(/^none here/);
        continue;
      }
      const source = sources.get(place) ?? sourcesIn(place);
      sources.set(place, source);
      expect(source.includes(name), `${name} in ${place}`).toBe(true);
    }
    expect(sources.size).toBe(2);
  });
});
