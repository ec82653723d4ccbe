import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock as clock } from '#kernel/clock';
import { type ObjectStore, startObjectStore } from '../../../test/support/object-store.ts';
import { findObjectStoreProgram } from '../../../test/support/object-store-program.ts';
import { describeFiles, failingAfter } from './conformance.ts';
import { type Files, openFiles } from './index.ts';

const program = await findObjectStoreProgram();

describe.skipIf(program === undefined)('files in an object store', () => {
  let store: ObjectStore;
  let files: Files;

  beforeAll(async () => {
    store = await startObjectStore(program ?? '');
    files = await openFiles(store.url('some/prefix'), { clock });
  });
  afterAll(() => store.stop());

  describeFiles(() => files);

  it('keeps its objects under the prefix, and sees no other ones', async () => {
    const key = randomUUID();
    await store.client.putObject(`elsewhere/${key}`, 'x');
    await files.put(key, Buffer.from('ours'));
    expect(await store.client.getObject(`some/prefix/${key}`)).toBe('ours');
    for await (const file of files.list('')) expect(file.key).not.toContain('elsewhere');
    const neighbours = await openFiles(store.url('elsewhere'), { clock });
    expect(await neighbours.size(key)).toBe(1);
  });

  it('leaves no parts of an upload that failed', async () => {
    const other = await openFiles(store.url('failed'), { clock });
    await expect(other.put('big', failingAfter(20 * 1024 * 1024))).rejects.toThrow('the sender went away');
    expect(await store.client.listMultipartUploads('/', '', 'GET', { prefix: 'failed/' })).not.toHaveProperty(
      'ListMultipartUploadsResult.Upload',
    );
  });

  it('sweeps the parts that a crash left, by age and within the prefix', async () => {
    const other = await openFiles(store.url('crashed'), { clock });
    await store.client.getMultipartUploadId('crashed/one');
    await store.client.getMultipartUploadId('crashed/two');
    await store.client.getMultipartUploadId('crashed-not/three');
    expect(await other.sweepUnfinished(Date.now() - 3_600_000)).toBe(0);
    expect(await other.sweepUnfinished(Date.now() + 3_600_000)).toBe(2);
    expect(await other.sweepUnfinished(Date.now() + 3_600_000)).toBe(0);
    const rest = await openFiles(store.url(''), { clock });
    expect(await rest.sweepUnfinished(Date.now() + 3_600_000)).toBe(1);
  });

  it('lists more than one page', async () => {
    const other = await openFiles(store.url('many'), { clock });
    const names = Array.from({ length: 1_050 }, (_, index) => `n${index}`);
    for (let from = 0; from < names.length; from += 50) {
      await Promise.all(names.slice(from, from + 50).map((name) => other.put(name, Buffer.from(name))));
    }
    const listed = new Set<string>();
    for await (const { key } of other.list('')) listed.add(key);
    expect(listed).toEqual(new Set(names));
  });

  it('says that it is not well with the wrong secret, or without its bucket', async () => {
    const wrong = await openFiles(store.url('x').replace('secret', 'other'), { clock });
    await expect(wrong.checkHealth()).rejects.toThrow('closed to these credentials');
    await expect(wrong.put('x', Buffer.from('x'))).rejects.toThrow('403');
    const nowhere = await openFiles(store.url('x').replace('@files', '@missing'), { clock });
    await expect(nowhere.checkHealth()).rejects.toThrow('does not exist');
    await expect(nowhere.size('x')).rejects.toThrow('the bucket does not exist');
    await expect(nowhere.open('x')).rejects.toThrow('the bucket does not exist');
  });
});
