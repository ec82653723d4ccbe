import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inFolder, plant } from '../support/planting.ts';
import { digestOfDoors, importsOf, unlessClean } from './memory.ts';

const FILES = {
  'src/kernel/clock/index.ts': "export { now } from './now.ts';\n",
  'src/kernel/clock/now.ts': "import type { A } from './a.ts';\n\nexport const now = (): A => 1;\n",
  'package.json': '{}',
};

describe('what the doors check depends on', () => {
  const change = (files: Record<string, string>) =>
    inFolder(FILES, (root) => {
      const before = digestOfDoors(root);
      plant(root, files);
      return digestOfDoors(root) !== before;
    });

  it.each([
    ['a type becomes a value', { 'src/kernel/clock/now.ts': "import { A } from './a.ts';\n" }],
    [
      'a module is imported late',
      { 'src/kernel/clock/now.ts': `${FILES['src/kernel/clock/now.ts']}export const a = () => import('./a.ts');\n` },
    ],
    ['a file is new', { 'src/kernel/clock/later.ts': '' }],
    ['a room is new', { 'src/kernel/scope/index.md': '' }],
    ['a package is new', { 'package.json': '{"dependencies":{"zod":"1"}}' }],
    ['a rule is another', { 'tools/doors/rooms.ts': 'export const kernelRooms = [];' }],
  ])('is another when %s', async (_name, files) => {
    expect(await change(files)).toBe(true);
  });

  it('is the same when only a body has changed', async () => {
    expect(
      await change({ 'src/kernel/clock/now.ts': "import type { A } from './a.ts';\n\nexport const now = 2;\n" }),
    ).toBe(false);
  });

  it.each([
    ["import {\n  a, // it's one\n} from './a.ts';\nconst b = 1;\n", "import {\n  a, // it's one\n} from './a.ts';\n"],
    ["type A = typeof import('./a.ts');\nconst b = 1;\n", "type A = typeof import('./a.ts');\n"],
    ["import './a.ts'", "import './a.ts'"],
    ["const late = import(/* later */ './a.ts');\n1;\n", "const late = import(/* later */ './a.ts');\n"],
    ["const late = import(\n  // later\n  './a.ts'\n);\n1;\n", "const late = import(\n  // later\n  './a.ts'\n"],
    ['/// <reference types="node" />\n1;\n', '/// <reference types="node" />\n'],
    ['const from = 1;\n', ''],
  ])('is a file up to its last import: %j', (text, expected) => {
    expect(importsOf(text)).toBe(expected);
  });
});

describe('a check that was clean', () => {
  it('runs anew only for another digest, and until it is clean', () =>
    inFolder({}, async (root) => {
      const memory = join(root, 'cache/doors');
      const answers = [['fault'], [], ['another']];
      const look = (digest: string) => unlessClean(memory, digest, async () => answers.shift() ?? ['none left']);
      expect(await look('a')).toEqual(['fault']);
      expect(existsSync(memory)).toBe(false);
      expect(await look('a')).toEqual([]);
      expect(await look('a')).toEqual([]);
      expect(await look('b')).toEqual(['another']);
    }));
});
