import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeFiles, failingAfter } from './conformance.ts';
import { systemClock as clock } from '#kernel/clock';
import { type Files, openFiles } from './index.ts';

/** Memory that Linux shows as a folder: another file system than the one of temporary files. */
const OTHER_DISK = '/dev/shm';

/** A program that stores half a file in the folder it is given, says so, and waits. */
const HALF_A_PUT = `
  import { systemClock as clock } from '#kernel/clock';
  import { openFiles } from '#kernel/files';
  async function* half() {
    yield Buffer.alloc(1_000_000);
    process.stdout.write('half');
    await new Promise(() => setInterval(() => undefined, 1_000));
  }
  const files = await openFiles(process.argv[1], { clock });
  await files.put('9/half', half());
`;

describe('files on a disk', () => {
  let root: string;
  let files: Files;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'roost-disk-'));
    files = await openFiles(join(root, 'made', 'on', 'opening'), { clock });
  });
  afterAll(() => rm(root, { recursive: true }));

  describeFiles(() => files);
});

describe('the folder of files on a disk', () => {
  let root: string;
  let files: Files;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'roost-disk-'));
    files = await openFiles(new URL(`file://${root}`).href, { clock });
  });
  afterAll(() => rm(root, { recursive: true }));

  it('holds each file under its key, and no other trace of a put', async () => {
    await files.put('2/ab/token/name.png', Buffer.from('x'));
    await expect(files.put('2/ab/token/other.png', failingAfter(100))).rejects.toThrow();
    expect(await readdir(root, { recursive: true })).toEqual(
      expect.arrayContaining(['2/ab/token/name.png', '~incoming']),
    );
    expect(await readdir(join(root, '~incoming'))).toEqual([]);
    expect(await readdir(join(root, '2/ab/token'))).toEqual(['name.png']);
  });

  it('loses the folders that a removal leaves empty, and only those', async () => {
    await files.put('3/a/one/file', Buffer.from('x'));
    await files.put('3/a/two/file', Buffer.from('x'));
    await files.remove('3/a/one/file');
    expect(await readdir(join(root, '3/a'))).toEqual(['two']);
    await files.remove('3/a/two/file');
    expect(await readdir(root)).not.toContain('3');
  });

  it('never leads out by a link', async () => {
    await mkdir(join(root, '4'));
    await writeFile(join(root, 'outside'), 'secret');
    await symlink(join(root, 'outside'), join(root, '4/link'));
    expect(await files.open('4/link')).toBeUndefined();
    expect(await files.size('4/link')).toBeUndefined();
    for await (const { key } of files.list('4/')) expect(key).not.toBe('4/link');
  });

  it('lists nothing that is no file of ours', async () => {
    await mkdir(join(root, '5'));
    await writeFile(join(root, '5/.~lock #'), 'x');
    await files.put('5/ours', Buffer.from('x'));
    const keys = [];
    for await (const { key } of files.list('5')) keys.push(key);
    expect(keys).toEqual(['5/ours']);
  });

  it('dates a file that it takes in by the moment it does', async () => {
    const spooled = join(root, 'spooled');
    await writeFile(spooled, 'finished long ago');
    await utimes(spooled, 1_000, 1_000);
    await files.putFile('6/taken', spooled);
    for await (const { storedAtMs } of files.list('6/taken')) {
      expect(Math.abs(Date.now() - storedAtMs)).toBeLessThan(60_000);
    }
    expect(await files.size('6/taken')).toBe(17);
  });

  it.runIf(existsSync(OTHER_DISK))('takes a file in from another file system', async () => {
    const elsewhere = await mkdtemp(join(OTHER_DISK, 'roost-disk-'));
    const spooled = join(elsewhere, 'spooled');
    await writeFile(spooled, 'from afar');
    expect(await files.putFile('8/taken', spooled)).toBe(9);
    expect(await files.size('8/taken')).toBe(9);
    expect(await readdir(elsewhere)).toEqual([]);
    await rm(elsewhere, { recursive: true });
  });

  it('leaves a finished file where it was when it cannot take it in', async () => {
    const spooled = join(root, 'spooled');
    await writeFile(spooled, 'finished');
    await files.put('7/file', Buffer.from('in the way'));
    await expect(files.putFile('7/file/under', spooled)).rejects.toThrow('ENOTDIR');
    expect(await readFile(spooled, 'utf8')).toBe('finished');
  });

  it('shows nothing of a put whose process was killed, and sweeps what it left', async () => {
    const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', '--eval', HALF_A_PUT, root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [told] = await once(child.stdout, 'data');
    expect(String(told)).toBe('half');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await files.size('9/half')).toBeUndefined();
    expect(await readdir(join(root, '~incoming'))).toHaveLength(1);
    expect(await files.sweepUnfinished(Date.now() + 60_000)).toBe(1);
    expect(await readdir(join(root, '~incoming'))).toEqual([]);
  });

  it('sweeps what a crash left of old puts, not those still running', async () => {
    const old = join(root, '~incoming/left-by-a-crash');
    await writeFile(old, 'half');
    await utimes(old, 1_000, 1_000);
    await writeFile(join(root, '~incoming/running'), 'half');
    expect(await files.sweepUnfinished(2_000_000)).toBe(1);
    expect(await readdir(join(root, '~incoming'))).toEqual(['running']);
    await rm(join(root, '~incoming/running'));
  });

  it('says that it is not well when its disk goes away, and calls no file missing then', async () => {
    await files.checkHealth();
    await rm(join(root, '~incoming'), { recursive: true });
    await expect(files.checkHealth()).rejects.toThrow('ENOENT');
    await expect(files.size('1/none')).rejects.toThrow('ENOENT');
    await expect(files.open('1/none')).rejects.toThrow('ENOENT');
    await mkdir(join(root, '~incoming'));
  });
});
