import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { english } from './english/index.ts';
import { deferredEnglish } from './english/deferred.ts';

const WEB = join(import.meta.dirname, '..');

/** The client's sources that can name texts. */
const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.') && !/^words\/(?:english|german)\//.test(path))
  .map((path) => readFileSync(join(WEB, path), 'utf8'))
  .join('\n');

const quoted = new Set([...sources.matchAll(/'([\w.]+)'/g)].map(([, key = '']) => key));
/** The beginnings and ends of keys that templates make, as in `manage.${name}Hint`. */
const made = [...sources.matchAll(/`([\w.]*)\$\{[^}`]*\}([\w.]*)`/g)]
  .map(([, start = '', end = '']) => ({ start, end }))
  .filter(({ start, end }) => start.endsWith('.') || end.startsWith('.'));

const isUsed = (key: string) =>
  quoted.has(key) ||
  made.some(({ start, end }) => key.startsWith(start) && key.endsWith(end) && key.length > start.length);

it('every text is used by some view', () => {
  const keys = Object.keys({ ...english, ...deferredEnglish });
  expect(keys.length).toBeGreaterThan(500);
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});
