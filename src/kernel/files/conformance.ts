import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { insideTransaction } from '#kernel/scope';
import type { ByteRange, Files, OpenedFile } from './files.ts';

/** Larger than two parts of an upload, and no multiple of one. */
const LARGE = 20 * 1024 * 1024 + 7;
const CHUNK = 64 * 1024;

/** What every implementation of `Files` must do. `files` is asked for once in each test. */
export function describeFiles(files: () => Files): void {
  const folder = `t/${randomUUID()}`;
  const keyOf = (name: string): string => `${folder}/${randomUUID()}/${name}`;

  it('gives back the bytes that were put, and their number', async () => {
    const key = keyOf('grüße-日本.txt');
    expect(await files().put(key, Buffer.from('one two three'))).toBe(13);
    expect(await files().size(key)).toBe(13);
    expect(await textOf(files(), key)).toBe('one two three');
  });

  it('keeps an empty file apart from none', async () => {
    const key = keyOf('empty');
    expect(await files().put(key, chunks([]))).toBe(0);
    expect(await files().size(key)).toBe(0);
    expect(await textOf(files(), key)).toBe('');
    expect(await files().size(keyOf('none'))).toBeUndefined();
    expect(await files().open(keyOf('none'))).toBeUndefined();
    expect(await files().open(keyOf('none'), { start: 0 })).toBeUndefined();
    await expect(files().open(key, { start: 0 })).rejects.toThrow(
      expect.objectContaining({ name: 'RangeUnsatisfiable' }),
    );
  });

  it('takes a folder for no file', async () => {
    const key = keyOf('file');
    await files().put(key, Buffer.from('x'));
    expect(await files().size(folder)).toBeUndefined();
    expect(await files().open(folder)).toBeUndefined();
  });

  it.each<[ByteRange, string, number]>([
    [{ start: 0 }, '0123456789', 0],
    [{ start: 3, end: 5 }, '345', 3],
    [{ start: 9, end: 9 }, '9', 9],
    [{ start: 7 }, '789', 7],
    [{ start: 7, end: 1000 }, '789', 7],
  ])('opens the range %j', async (range, text, start) => {
    const key = keyOf('ten');
    await files().put(key, Buffer.from('0123456789'));
    const opened = await files().open(key, range);
    expect(opened).toMatchObject({ size: 10, start, length: text.length });
    expect(await read(opened)).toBe(text);
  });

  it.each<ByteRange>([{ start: 10 }, { start: 11, end: 12 }, { start: -1 }, { start: 4, end: 3 }, { start: 0.5 }])(
    'refuses the range %j of ten bytes',
    async (range) => {
      const key = keyOf('ten');
      await files().put(key, Buffer.from('0123456789'));
      await expect(files().open(key, range)).rejects.toThrow(expect.objectContaining({ name: 'RangeUnsatisfiable' }));
    },
  );

  it('streams a large file in and out unchanged, and by range', async () => {
    const key = keyOf('large');
    const hash = createHash('sha256');
    expect(await files().put(key, randomChunks(LARGE, hash))).toBe(LARGE);
    const whole = await files().open(key);
    expect(whole?.size).toBe(LARGE);
    expect(await digestOf(whole)).toBe(hash.digest('hex'));
    const tail = await files().open(key, { start: LARGE - 5 });
    expect(await read(tail)).toHaveLength(5);
  });

  it('lets a reader stop early', async () => {
    const key = keyOf('large');
    await files().put(key, Buffer.alloc(4 * 1024 * 1024, 1));
    const opened = await files().open(key);
    for await (const chunk of opened?.stream ?? []) {
      expect(chunk[0]).toBe(1);
      break;
    }
    expect(opened?.stream.destroyed).toBe(true);
  });

  it.each([10, LARGE])('stores nothing when the source fails after %i bytes', async (bytes) => {
    const key = keyOf('broken');
    const before = await count(files(), folder);
    await expect(files().put(key, failingAfter(bytes))).rejects.toThrow('the sender went away');
    expect(await files().size(key)).toBeUndefined();
    expect(await count(files(), folder)).toBe(before);
  });

  it('destroys a stream that it does not store', async () => {
    const sources = [keyOf('broken'), '../unsafe'].map((key) => ({ key, source: Readable.from(failingAfter(10)) }));
    for (const { key, source } of sources) {
      await expect(files().put(key, source)).rejects.toThrow();
      expect(source.destroyed).toBe(true);
    }
  });

  it('keeps the old bytes when replacing them fails, and shows only new ones when it succeeds', async () => {
    const key = keyOf('replaced');
    await files().put(key, Buffer.from('old'));
    await expect(files().put(key, failingAfter(2))).rejects.toThrow('the sender went away');
    expect(await textOf(files(), key)).toBe('old');
    await files().put(key, Buffer.from('new one'));
    expect(await textOf(files(), key)).toBe('new one');
  });

  it('shows one whole put of many at once', async () => {
    const key = keyOf('contested');
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000));
    await Promise.all(texts.map((text) => files().put(key, Buffer.from(text))));
    expect(texts).toContain(await textOf(files(), key));
  });

  it('takes a finished local file in, which is gone afterwards', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'roost-files-'));
    const path = join(scratch, 'finished');
    await writeFile(path, 'from the spool');
    const key = keyOf('moved');
    expect(await files().putFile(key, path)).toBe(14);
    expect(await textOf(files(), key)).toBe('from the spool');
    expect(existsSync(path)).toBe(false);
    await rm(scratch, { recursive: true });
  });

  it('removes a file, and does not mind that it is gone', async () => {
    const key = keyOf('removed');
    await files().put(key, Buffer.from('x'));
    await files().remove(key);
    expect(await files().size(key)).toBeUndefined();
    await files().remove(key);
  });

  it('puts and removes in one folder at once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `${folder}/shared/deep/${index}`);
    await Promise.all(
      names.map(async (key) => {
        await files().put(key, Buffer.from(key));
        await files().remove(key);
        await files().put(key, Buffer.from(key));
      }),
    );
    expect(await keysOf(files(), `${folder}/shared/`)).toEqual(names.toSorted());
  });

  it('lists what begins with a prefix, with sizes and times', async () => {
    const place = `${folder}/listed`;
    const keys = ['1/a/x.png', '1/a/y.png', '1/ab/z.png', '10/a.png', '2.png'].map((name) => `${place}/${name}`);
    for (const key of keys) await files().put(key, Buffer.from(key));
    expect(await keysOf(files(), `${place}/`)).toEqual(keys.toSorted());
    expect(await keysOf(files(), `${place}/1`)).toEqual(keys.slice(0, 4).toSorted());
    expect(await keysOf(files(), `${place}/1/a/`)).toEqual(keys.slice(0, 2));
    expect(await keysOf(files(), `${place}/nothing`)).toEqual([]);
    for await (const file of files().list(`${place}/2`)) {
      expect(file).toEqual({ key: keys[4], size: keys[4]?.length, storedAtMs: expect.any(Number) });
      expect(Math.abs(Date.now() - file.storedAtMs)).toBeLessThan(60_000);
    }
  });

  it.each(UNSAFE_KEYS)('refuses the key %j everywhere (security#holes, row 34)', async (key) => {
    const refused = expect.objectContaining({ name: 'UnsafeFileKey' });
    await expect(files().put(key, Buffer.from('x'))).rejects.toThrow(refused);
    await expect(files().putFile(key, '/nowhere')).rejects.toThrow(refused);
    await expect(files().open(key)).rejects.toThrow(refused);
    await expect(files().size(key)).rejects.toThrow(refused);
    await expect(files().remove(key)).rejects.toThrow(refused);
  });

  it.each(['../', '/', 'a//', 'a/../b', 'a\\'])('refuses the prefix %j', async (prefix) => {
    await expect(keysOf(files(), prefix)).rejects.toThrow(expect.objectContaining({ name: 'UnsafeFileKey' }));
  });

  it('finds nothing unfinished after whole puts', async () => {
    await files().put(keyOf('whole'), Buffer.from('x'));
    expect(await files().sweepUnfinished(Date.now() + 60_000)).toBe(0);
  });

  it('stays out of transactions', async () => {
    const key = keyOf('x');
    const refused = 'files must not run inside a transaction';
    await insideTransaction(async () => {
      await expect(files().put(key, Buffer.from('x'))).rejects.toThrow(refused);
      await expect(files().open(key)).rejects.toThrow(refused);
      await expect(files().size(key)).rejects.toThrow(refused);
      await expect(files().remove(key)).rejects.toThrow(refused);
      await expect(keysOf(files(), folder)).rejects.toThrow(refused);
    });
  });

  it('is well', async () => {
    await files().checkHealth();
  });
}

/** Keys that lead elsewhere, on this or another system, or say nothing. */
const UNSAFE_KEYS = [
  '',
  '.',
  '..',
  '/',
  '/etc/passwd',
  '../x',
  'a/../../x',
  'a/./x',
  'a//x',
  'a/',
  'a\0.png',
  'a\\..\\x',
  'C:\\x',
  'C:/x',
  '\\\\server\\share',
  '..%2fx',
  'a b',
  'a\nb',
  'x\ud800',
  'x'.repeat(256),
  'a/'.repeat(500).concat('x'),
] as const;

/** Sends `bytes` bytes and then fails. */
export async function* failingAfter(bytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += CHUNK) yield Buffer.alloc(Math.min(CHUNK, bytes - sent), 120);
  throw new Error('the sender went away');
}

async function* chunks(list: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* list;
}

/** Chunks of odd sizes, so that no boundary of a part falls on one of a chunk. */
async function* randomChunks(bytes: number, hash: { update(bytes: Uint8Array): unknown }): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK + 13, bytes - sent), `chunk at ${sent}`);
    hash.update(chunk);
    sent += chunk.length;
    yield chunk;
  }
}

async function read(opened: OpenedFile | undefined): Promise<string> {
  if (!opened) throw new Error('no file');
  return (await buffer(opened.stream)).toString();
}

async function textOf(files: Files, key: string): Promise<string> {
  return read(await files.open(key));
}

async function digestOf(opened: OpenedFile | undefined): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of opened?.stream ?? []) hash.update(chunk);
  return hash.digest('hex');
}

async function keysOf(files: Files, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(prefix)) keys.push(key);
  return keys.toSorted();
}

async function count(files: Files, prefix: string): Promise<number> {
  return (await keysOf(files, prefix)).length;
}
