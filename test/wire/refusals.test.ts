import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorRows } from '../../src/kernel/openapi/index.ts';
import { refusalIn } from '../../src/kernel/refusals/index.ts';
import { endpoints } from '../../src/server.ts';
import { FAULTS_OF_PROGRAMS } from './faults-of-programs.ts';

/** Messages that consist of another one. */
const PASSED_ON = ['{fault}', '{first}', '{reason}', '{text}', '{why}'];

/** The paths in the client's sources, as its calls name them. */
function pathsOfClient(): ReadonlySet<string> {
  const web = join(import.meta.dirname, '../../web');
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'));
  const texts = sources.map((path) => readFileSync(join(web, path), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/'(\/[\w/{}*.-]+)'/g)].map(([, path = '']) => path)));
}

function declared(): readonly string[] {
  const paths = pathsOfClient();
  const called = endpoints.filter(({ path }) => paths.has(path));
  expect(called.length).toBeGreaterThan(100);
  return [...new Set(called.flatMap((endpoint) => errorRows(endpoint, endpoints)).map(({ text }) => text))];
}

describe('German texts of error messages', () => {
  it('are there for all that the web client may be answered, except for faults of programs', () => {
    const known = new Set([...PASSED_ON, ...FAULTS_OF_PROGRAMS]);
    const unknown = declared().filter((text) => refusalIn('de', text) === text);
    expect(unknown.filter((text) => !known.has(text))).toEqual([]);
    // Nothing is listed that has a German text, or is not answered any more.
    expect([...known].filter((text) => !unknown.includes(text))).toEqual([]);
  });
});
