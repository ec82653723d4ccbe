import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '#kernel/clock';
import { type Files, openFiles } from '#kernel/files';
import { findObjectStoreProgram } from '../../../test/support/object-store-program.ts';
import { startObjectStore } from '../../../test/support/object-store.ts';
import { moveFiles } from './files.ts';

const program = await findObjectStoreProgram();

describe('files that move', () => {
  let folder: string;
  let from: Files;
  let to: Files;
  let said: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'roost-files-'));
    from = await openFiles(join(folder, 'from'), { clock: new TestClock() });
    to = await openFiles(join(folder, 'to'), { clock: new TestClock() });
    said = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    for (let i = 0; i < 30; i++) await from.put(`uploads/2/${i}/nest.txt`, Buffer.from(`nest ${i}`));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const textOf = async (files: Files, key: string): Promise<string> => {
    const opened = await files.open(key);
    return opened ? (await opened.stream.toArray()).join('') : 'none';
  };

  it('are all there and the same, and those that were there are left alone', async () => {
    await to.put('uploads/2/3/nest.txt', Buffer.from('nest 3'));
    await moveFiles(from, to);
    expect(said[0]).toBe('pass 1: 29 files copied and compared (0.0 MiB), 1 were there\n');
    expect(said[1]).toBe('pass 2: 0 files copied and compared (0.0 MiB), 30 were there\n');
    for (let i = 0; i < 30; i++) expect(await textOf(to, `uploads/2/${i}/nest.txt`)).toBe(`nest ${i}`);
  });

  it('take with them what comes meanwhile, and miss what goes', async () => {
    const late: Files = {
      ...to,
      put: async (key, source) => {
        if (key.endsWith('/7/nest.txt')) await from.put('uploads/2/late/nest.txt', Buffer.from('late'));
        return to.put(key, source);
      },
    };
    const shrinking: Files = {
      ...from,
      open: async (key) => {
        if (key.includes('/9/')) await from.remove(key);
        return from.open(key);
      },
    };
    await moveFiles(shrinking, late);
    expect(await textOf(to, 'uploads/2/late/nest.txt')).toBe('late');
    expect(await to.size('uploads/2/9/nest.txt')).toBeUndefined();
  });

  it('are not done while one is listed that cannot be read', async () => {
    const hiding: Files = {
      ...from,
      open: (key) => (key.includes('/9/') ? Promise.resolve(undefined) : from.open(key)),
    };
    await expect(moveFiles(hiding, to)).rejects.toThrow(
      '1 file(s) are listed and cannot be read, uploads/2/9/nest.txt among them',
    );
  });

  it('are refused where the other place gives something else back, and nothing wrong stays there', async () => {
    const broken: Files = {
      ...to,
      put: (key, source) =>
        key.includes('/5/') ? drained(source).then(() => to.put(key, Buffer.from('NEST 5'))) : to.put(key, source),
    };
    await expect(moveFiles(from, broken)).rejects.toThrow(/5\/nest\.txt came back different/);
    expect(await to.size('uploads/2/5/nest.txt')).toBeUndefined();
  });

  it.runIf(program !== undefined)('go to an object store and back', async () => {
    const store = await startObjectStore(program ?? '');
    try {
      const bucket = await openFiles(store.url('moved'), { clock: new TestClock() });
      await moveFiles(from, bucket);
      await moveFiles(bucket, to);
      expect(said).toEqual([
        'pass 1: 30 files copied and compared (0.0 MiB), 0 were there\n',
        'pass 2: 0 files copied and compared (0.0 MiB), 30 were there\n',
        'pass 1: 30 files copied and compared (0.0 MiB), 0 were there\n',
        'pass 2: 0 files copied and compared (0.0 MiB), 30 were there\n',
      ]);
      for (let i = 0; i < 30; i++) expect(await textOf(to, `uploads/2/${i}/nest.txt`)).toBe(`nest ${i}`);
    } finally {
      await store.stop();
    }
  });
});

async function drained(source: Parameters<Files['put']>[1]): Promise<void> {
  if (!(source instanceof Uint8Array)) for await (const _bytes of source);
}
