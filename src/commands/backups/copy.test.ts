import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyTree, countPlain } from './copy.ts';
import { readManifest } from './manifest.ts';

describe('a backup of a stranger', () => {
  let folder: string;
  let backup: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'roost-copy-'));
    backup = join(folder, 'backup');
    mkdirSync(join(backup, 'inner'), { recursive: true });
    writeFileSync(join(folder, 'secret'), 'of this machine');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['a link to a file', (path: string) => symlinkSync(join(folder, 'secret'), path)],
    ['a link to a folder', (path: string) => symlinkSync(folder, path)],
    ['a link to nothing', (path: string) => symlinkSync(join(folder, 'nothing'), path)],
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('is refused for %s, wherever it is', async (_what, make) => {
    make(join(backup, 'inner', 'odd'));
    for (const place of [backup, join(backup, 'inner', 'odd')])
      await expect(countPlain(place)).rejects.toThrow(/odd is neither a file nor a folder/);
  });

  it('is counted as large as its files say, whatever is in them', async () => {
    writeFileSync(join(backup, 'inner', 'holes'), '');
    truncateSync(join(backup, 'inner', 'holes'), 2 ** 40);
    writeFileSync(join(backup, 'a..b'), 'abc');
    expect(await countPlain(backup)).toEqual({ files: 2, bytes: 2 ** 40 + 3 });
  });

  it('is not waited for where a pipe is in the place of a file', async () => {
    execFileSync('mkfifo', [join(backup, 'backup.json')]);
    await expect(readManifest(backup)).rejects.toThrow(/no finished backup/);
    await expect(copyTree(backup, join(folder, 'to'))).rejects.toThrow(/backup.json is neither a file/);
    expect(existsSync(join(folder, 'to', 'backup.json'))).toBe(false);
  });

  it('is not described by a file elsewhere', async () => {
    writeFileSync(join(folder, 'other.json'), '{"roost":"1","made_at":1,"database":"sqlite","migrations":[]}');
    expect(await readManifest(folder).catch(String)).toContain('no finished backup');
    symlinkSync(join(folder, 'other.json'), join(backup, 'backup.json'));
    await expect(readManifest(backup)).rejects.toThrow(/no finished backup/);
  });
});
