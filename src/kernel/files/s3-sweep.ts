import type { S3mini } from 's3mini';
import { fieldsIn } from '#kernel/text';
import type { Retry } from './s3-retries.ts';

interface Unfinished {
  readonly name: string;
  readonly uploadId: string;
  readonly begunAtMs: number;
}

/** Where to look for unfinished uploads, and which are old. */
export interface Sweep {
  readonly prefix: string;
  readonly beforeMs: number;
}

/** Gives up the uploads in parts below `prefix` that were begun before `beforeMs`; gives their number. */
export async function sweepUploads(s3: S3mini, retry: Retry, { prefix, beforeMs }: Sweep): Promise<number> {
  let swept = 0;
  for await (const { name, uploadId, begunAtMs } of unfinishedUploads(s3, retry, prefix)) {
    if (begunAtMs >= beforeMs) continue;
    await retry(() => s3.abortMultipartUpload(name, uploadId));
    swept++;
  }
  return swept;
}

async function* unfinishedUploads(s3: S3mini, retry: Retry, prefix: string): AsyncGenerator<Unfinished> {
  let marker: Record<string, string> = {};
  for (;;) {
    const from = { ...marker, ...(prefix ? { prefix } : {}) };
    const answer: unknown = await retry(() => s3.listMultipartUploads('/', '', 'GET', from));
    const page = fieldsIn(fieldsIn(answer)['ListMultipartUploadsResult']);
    for (const entry of [page['Upload'] ?? []].flat()) yield readUpload(fieldsIn(entry));
    if (page['IsTruncated'] !== 'true') return;
    const next = { 'key-marker': text(page['NextKeyMarker']), 'upload-id-marker': text(page['NextUploadIdMarker']) };
    if (JSON.stringify(next) === JSON.stringify(marker)) throw new Error('the object store gives the same page again');
    marker = next;
  }
}

function readUpload(entry: Record<string, unknown>): Unfinished {
  const begunAtMs = Date.parse(text(entry['Initiated']));
  return { name: text(entry['Key']), uploadId: text(entry['UploadId']), begunAtMs };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
