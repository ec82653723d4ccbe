import { createReadStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { S3mini } from 's3mini';
import type { Clock } from '#kernel/clock';
import { assertOutsideTransaction } from '#kernel/scope';
import {
  assertRange,
  type ByteRange,
  type Files,
  type ListedFile,
  type OpenedFile,
  RangeUnsatisfiable,
} from './files.ts';
import { FilesAway } from './away.ts';
import { assertFileKey, assertKeyPrefix } from './keys.ts';
import { atMost, fileFetch, wholeFetch } from './s3-answers.ts';
import type { S3Address } from './s3-address.ts';
import { bytesOf } from './s3-fetch.ts';
import { retryBy, statusOf } from './s3-retries.ts';
import { sweepUploads } from './s3-sweep.ts';
import { type Target, upload } from './s3-upload.ts';
import { orDestroy } from './sources.ts';

/** Objects asked for in one request of a listing. The protocol's bound. */
const PAGE = 1000;
/** Pages of a listing, and of those that bring nothing, before it is taken for one without an end. */
const MAX_PAGES = 100_000;
const MAX_EMPTY_PAGES = 1_000;
/** Bytes read at once from a local file on its way to the store. */
const READ_BYTES = 1024 * 1024;
/** Milliseconds until a health check gives up. */
const HEALTH_TIMEOUT_MS = 5_000;

/** What `openS3` needs besides the address. */
interface S3Options {
  readonly clock: Clock;
}

/** Files in a bucket of an S3-compatible object store. The bucket must exist. */
export function openS3({ prefix, ...address }: S3Address, { clock }: S3Options): Files {
  const retry = retryBy(clock);
  const ask = wholeFetch(clock);
  const s3 = new S3mini({ ...address, fetch: ask });
  const reader = new S3mini({ ...address, fetch: fileFetch(clock) });
  const probe = new S3mini({ ...address, fetch: ask, requestAbortTimeout: HEALTH_TIMEOUT_MS });
  const lister = () => new S3mini({ ...address, fetch: atMost(MAX_EMPTY_PAGES, ask) });
  const targetOf = (key: string): Target => {
    assertOutsideTransaction('files');
    assertFileKey(key);
    return { s3, retry, name: `${prefix}${key}` };
  };
  return {
    put: (key, source) => orDestroy(source, async () => upload(targetOf(key), source)),
    putFile: async (key, path) => {
      const target = targetOf(key);
      const source = createReadStream(path, { highWaterMark: READ_BYTES });
      const size = await orDestroy(source, () => upload(target, source));
      await unlink(path);
      return size;
    },
    open: async (key, range) => openObject({ ...targetOf(key), s3: reader }, clock, range),
    size: async (key) => {
      const target = targetOf(key);
      return orMissing(target, () => s3.getContentLength(target.name));
    },
    remove: async (key) => {
      const { name } = targetOf(key);
      await retry(() => s3.deleteObject(name));
    },
    list: (start) => listObjects(lister, { retry, name: prefix }, start),
    sweepUnfinished: (beforeMs) => sweepUploads(s3, retry, { prefix, beforeMs }),
    checkHealth: async () => {
      if (!(await probe.bucketExists()))
        throw new Error('the bucket does not exist, or is closed to these credentials');
    },
  };
}

async function openObject(target: Target, clock: Clock, range: ByteRange | undefined): Promise<OpenedFile | undefined> {
  if (range) assertRange(range);
  const past = range?.end === undefined ? undefined : range.end + 1;
  try {
    const response = await orMissing(target, () => target.s3.getObjectRaw(target.name, !range, range?.start, past));
    return response && read(response, clock, range);
  } catch (error) {
    if (statusOf(error) === 416) throw new RangeUnsatisfiable('the file ends before the range', { cause: error });
    throw error;
  }
}

function read(response: Response, clock: Clock, range: ByteRange | undefined): OpenedFile {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const whole = /^bytes \d+-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (range && whole === undefined) {
    void response.body?.cancel();
    throw new Error('the object store did not answer with the range that was asked for');
  }
  // Else an answer of any length, or a packed one, would pass for an empty file.
  if (!Number.isSafeInteger(length)) {
    void response.body?.cancel();
    throw new FilesAway(new Error('the object store does not say how long a file is'));
  }
  const stream = Readable.from(response.body ? bytesOf(response.body, clock) : [], { objectMode: false });
  return { size: whole === undefined ? length : Number(whole), start: range?.start ?? 0, length, stream };
}

async function* listObjects(
  lister: () => S3mini,
  { retry, name }: Omit<Target, 's3'>,
  start: string,
): AsyncGenerator<ListedFile> {
  assertOutsideTransaction('files');
  assertKeyPrefix(start);
  let token: string | undefined;
  for (let pages = 0; pages === 0 || token !== undefined; pages++) {
    if (pages === MAX_PAGES) throw new Error('the object store gives a list without an end');
    const page = await retry(() => lister().listObjectsPaged('/', `${name}${start}`, PAGE, token));
    if (!page) throw new Error('the bucket does not exist');
    for (const { Key, Size, LastModified } of page.objects ?? []) {
      yield { key: Key.slice(name.length), size: Size, storedAtMs: LastModified.getTime() };
    }
    if (page.nextContinuationToken === token && token !== undefined)
      throw new Error('the object store gives the same page of a list again');
    token = page.nextContinuationToken;
  }
}

/** An object that is not there is missing only as long as its bucket is there. */
async function orMissing<T>({ s3, retry }: Target, request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await retry(request);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    if (!(await retry(() => s3.bucketExists()))) throw new Error('the bucket does not exist', { cause: error });
    return undefined;
  }
}
