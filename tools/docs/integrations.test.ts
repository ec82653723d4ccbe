import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { integrationFiles } from './integrations.ts';

const folder = new URL('../../docs/integrations/', import.meta.url);
const files = integrationFiles();

describe('the pages of integrations', () => {
  it('are there for all of them, and for nothing else', () => {
    expect(readdirSync(folder).toSorted()).toEqual([...files.keys()].toSorted());
  });

  it.each([...files])('say exactly what is said: otherwise read and run `npm run docs` (%s)', (name, text) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text);
  });
});
