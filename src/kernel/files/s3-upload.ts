import type { S3mini, UploadPart } from 's3mini';
import type { ByteSource } from './files.ts';
import { once, type Retry } from './s3-retries.ts';
import { inParts } from './sources.ts';

/** Bytes of one request of an upload; at most two of them are in memory. The protocol's least is 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
/** The protocol's bound; with it a file has at most 80,000 MiB. */
const MAX_PARTS = 10_000;
/** Objects are stored as plain bytes: their type is given by whoever serves them, never by the store. */
const CONTENT_TYPE = 'application/octet-stream';

/** An object that is being stored: by which client, how it retries, under which name. */
export interface Target {
  readonly s3: S3mini;
  readonly retry: Retry;
  readonly name: string;
}

/** Stores a source under an object's name: in one request below `PART_BYTES`, else in parts that show only when all are there. */
export async function upload(target: Target, source: ByteSource): Promise<number> {
  const { s3, retry, name } = target;
  const parts = inParts(source, PART_BYTES);
  const { value: first = Buffer.alloc(0) } = await parts.next();
  if (first.length === PART_BYTES) return uploadInParts(target, startingWith(first, parts));
  await retry(() => s3.putObject(name, first, CONTENT_TYPE));
  return first.length;
}

async function uploadInParts(target: Target, parts: AsyncIterable<Uint8Array>): Promise<number> {
  const { s3, retry, name } = target;
  const uploadId = await retry(() => s3.getMultipartUploadId(name, CONTENT_TYPE));
  try {
    const { size, sent } = await sendParts(target, uploadId, parts);
    const done = await once(() => s3.completeMultipartUpload(name, uploadId, sent));
    // The store may answer 200 and then say in the body that it failed; only an ETag means success.
    if (!done.etag) throw new Error('the object store did not put the parts of an upload together');
    return size;
  } catch (error) {
    // What cannot be given up now, `sweepUnfinished` finds.
    await s3.abortMultipartUpload(name, uploadId).catch(() => undefined);
    throw error;
  }
}

interface Sent {
  readonly size: number;
  readonly sent: UploadPart[];
}

/** Sends one part while the next is gathered. */
async function sendParts(target: Target, uploadId: string, parts: AsyncIterable<Uint8Array>): Promise<Sent> {
  const { s3, retry, name } = target;
  const sent: UploadPart[] = [];
  let size = 0;
  let number = 0;
  let sending: Promise<unknown> = Promise.resolve();
  try {
    for await (const part of parts) {
      await sending;
      if (part.length === 0) break;
      const partNumber = ++number;
      if (partNumber > MAX_PARTS) throw new Error('the file is too large for the object store');
      sending = retry(() => s3.uploadPart(name, uploadId, part, partNumber)).then((one) => sent.push(one));
      // The next await handles its failure; until then there is no handler.
      sending.catch(() => undefined);
      size += part.length;
    }
  } finally {
    await Promise.allSettled([sending]);
  }
  await sending;
  return { size, sent };
}

async function* startingWith(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
