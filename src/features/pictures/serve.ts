import type { PageResponse } from '#kernel/endpoint';
import { isFileKey } from '#kernel/files';
import type { ReadContext } from '#kernel/context';

/** Media types of the server's pictures, by file extension. */
const TYPES: Readonly<Record<string, string>> = { gif: 'image/gif', png: 'image/png', webp: 'image/webp' };
/** Addresses change with the picture, so an answer may be cached for a year. */
const CACHE = 'public, max-age=31536000, immutable';

/** Key of a picture in the files room, by the path after `/user_avatars/` in its address. */
export function pictureKey(path: string): string {
  return `pictures/${path}`;
}

/** Serves a public picture, given as bytes or by its path. See protocol/files#avatars. */
export async function servePicture(
  context: Pick<ReadContext, 'files'>,
  picture: { readonly path: string; readonly bytes?: Buffer },
): Promise<PageResponse> {
  const { path, bytes } = picture;
  const type = TYPES[/\.([a-z]+)$/.exec(path)?.[1] ?? ''];
  if (type === undefined || !isFileKey(pictureKey(path))) return MISSING;
  const headers = {
    'content-type': type,
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': CACHE,
  };
  if (bytes) return { headers, body: bytes };
  const opened = await context.files.open(pictureKey(path));
  return opened ? { headers, body: { stream: opened.stream, length: opened.length } } : MISSING;
}

const MISSING: PageResponse = { status: 404, body: 'Not found\n' };
