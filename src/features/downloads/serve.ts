import { namesTag, type PageRequest, type PageResponse } from '#kernel/endpoint';
import type { Context } from '#kernel/context';
import { FilesAway } from '#kernel/files';
import { type AttachmentRow, shownName, uploadKey } from '#features/uploads';
import { disposition, inertHeaders, isSaved, parseRange } from './headers.ts';

/** What to serve from the file store, and under which name. */
interface Served {
  readonly key: string;
  readonly name: string;
  readonly contentType: string;
  readonly isDownload: boolean;
}

/** Serves a file, or the requested range of it; undefined if the store does not have it. */
export async function serveBytes(
  context: Pick<Context, 'files'>,
  headers: PageRequest['headers'],
  served: Served,
): Promise<PageResponse | undefined> {
  const size = await context.files.size(served.key);
  if (size === undefined) return undefined;
  // The bytes under a key never change, so the key identifies the version.
  const etag = `"${served.key.split('/').slice(-2).map(encodeURIComponent).join('-')}"`;
  const dest = headers['sec-fetch-dest'];
  const common = {
    ...inertHeaders(served.contentType),
    'content-disposition': disposition(
      // Names stored by earlier releases may have any length.
      shownName(served.name),
      served.contentType,
      served.isDownload || isSaved(served.contentType, dest),
    ),
    'accept-ranges': 'bytes',
    etag,
  };
  if (namesTag(headers['if-none-match'], etag)) return { status: 304, headers: common };
  const condition = headers['if-range'];
  const range = condition === undefined || condition === etag ? parseRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') return { status: 416, headers: { ...common, 'content-range': `bytes */${size}` } };
  const opened = await context.files.open(served.key, range);
  if (!opened) return undefined;
  if (opened.size !== size) {
    opened.stream.destroy();
    // What came is not the file: an error with status 200, say.
    throw new FilesAway(new Error('a file has another length than was said before'));
  }
  const body = { stream: opened.stream, length: opened.length };
  if (!range) return { headers: common, body };
  return { status: 206, headers: { ...common, 'content-range': `bytes ${range.start}-${range.end}/${size}` }, body };
}

/** Serves an uploaded file. */
export function serveUpload(
  request: Pick<PageRequest, 'context' | 'headers'>,
  file: AttachmentRow,
  isDownload: boolean,
): Promise<PageResponse | undefined> {
  const { name, content_type, path_id } = file;
  const served = { key: uploadKey(path_id), name, contentType: content_type, isDownload };
  return serveBytes(request.context, request.headers, served);
}
