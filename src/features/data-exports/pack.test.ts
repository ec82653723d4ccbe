import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { openFiles } from '#kernel/files';
import { packTo } from './pack.ts';

it('leaves no file open where an export is ended before it is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-pack-'));
  const files = await openFiles(folder, { clock: systemClock });
  const source = Readable.from([Buffer.from('three eggs')]);
  const step = () => Promise.reject(new Error('ended'));
  const options = { to: files, key: 'exports/a', spool: files, spoolKey: 'spool', root: 'export', time: 0, step };
  await expect(packTo(options, (archive) => archive.write('eggs.txt', source, 10))).rejects.toThrow('ended');
  expect(source.destroyed).toBe(true);
  rmSync(folder, { recursive: true });
});
