import { describe, expect, it } from 'vitest';
import { inFolder } from '../support/planting.ts';
import { dueFiles } from './due.ts';
import { filesOfProgram, type Files, type Seen } from './programs.ts';

const seen = (text: string, shape: string, imports: readonly string[], isGlobal = false): Seen => ({
  text,
  shape,
  isGlobal,
  imports,
});

const files: Files = {
  'src/clock.ts': seen('a', 'A', []),
  'src/index.ts': seen('b', 'B', ['src/clock.ts']),
  'src/channels.ts': seen('c', 'C', ['src/index.ts']),
  'src/users.ts': seen('d', 'D', []),
  'test/untyped.d.ts': seen('e', 'E', [], true),
};

/** What is due when `changed` came over files that were clean. */
const dueAfter = (changed: Files) => [...dueFiles(files, { ...files, ...changed })].toSorted();

describe('what the linter looks at', () => {
  it('is everything at first, and nothing when nothing has changed', () => {
    expect([...dueFiles({}, files)].toSorted()).toEqual(Object.keys(files).toSorted());
    expect(dueAfter({})).toEqual([]);
  });

  it('is a file alone when only its bodies have changed', () => {
    expect(dueAfter({ 'src/clock.ts': seen('a2', 'A', []) })).toEqual(['src/clock.ts']);
  });

  it('is also what imports the file, through others too, when those see something else', () => {
    expect(dueAfter({ 'src/clock.ts': seen('a2', 'A2', []) })).toEqual([
      'src/channels.ts',
      'src/clock.ts',
      'src/index.ts',
    ]);
  });

  it('is a new file, and what imports it', () => {
    const importing = { 'src/users.ts': seen('d', 'D', ['src/rules.ts']) };
    expect(dueAfter({ ...importing, 'src/rules.ts': seen('f', 'F', []) })).toEqual(['src/rules.ts', 'src/users.ts']);
  });

  it('is what imported a file that is gone', () => {
    const { 'src/clock.ts': _, ...rest } = files;
    expect([...dueFiles(files, rest)].toSorted()).toEqual(['src/channels.ts', 'src/index.ts']);
  });

  it('is everything when a declaration for all files has changed', () => {
    expect(dueAfter({ 'test/untyped.d.ts': seen('e2', 'E', [], true) })).toEqual(Object.keys(files).toSorted());
  });
});

describe("the compiler's notes", () => {
  const read = (notes: unknown) =>
    inFolder({ 'cache/notes.json': JSON.stringify(notes) }, (root) => filesOfProgram(root, 'cache/notes.json'));

  it('are read as the compiler writes them', async () => {
    const notes = {
      fileNames: ['../src/clock.ts', '../src/index.ts', '../test/untyped.d.ts'],
      fileInfos: ['a', { version: 'b', signature: 'B' }, { version: 'e', affectsGlobalScope: true }],
      referencedMap: [[2, 1]],
      fileIdsList: [[1]],
    };
    expect(await read(notes)).toEqual({
      'src/clock.ts': seen('a', 'a', []),
      'src/index.ts': seen('b', 'B', ['src/clock.ts']),
      'test/untyped.d.ts': seen('e', 'e', [], true),
    });
  });

  it('are refused when they have another form, and may be missing', async () => {
    await expect(read({ fileNames: [] })).rejects.toThrow('is not written as this check reads it');
    expect(await inFolder({}, (root) => filesOfProgram(root, 'cache/notes.json'))).toEqual({});
  });
});
