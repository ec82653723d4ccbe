import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { drawCells } from '#kernel/images';
import { inertHeaders, prefersImages } from './headers.ts';

const GREY = [187, 187, 187] as const;
const WHITE = [255, 255, 255] as const;
/** A cross on grey, for clients that asked for a picture and do not get one. */
const CROSS = [
  [0, 0, 0, 0, 0, 0, 0],
  [0, 1, 0, 0, 0, 1, 0],
  [0, 0, 1, 0, 1, 0, 0],
  [0, 0, 0, 1, 0, 0, 0],
  [0, 0, 1, 0, 1, 0, 0],
  [0, 1, 0, 0, 0, 1, 0],
  [0, 0, 0, 0, 0, 0, 0],
];
const TEXTS = {
  gone: '<p>This file does not exist or has been deleted.</p>',
  forbidden: '<p>You are not authorized to view this file.</p>',
};

/** The reply to a caller who does not get a file. See protocol/files#fetching. */
export function refuse(
  { headers, actor, url }: Pick<PageRequest, 'headers' | 'actor' | 'url'>,
  why: 'gone' | 'forbidden',
): PageResponse {
  const status = why === 'gone' ? 404 : 403;
  if (prefersImages(headers.accept)) return answer(status, 'image/png', drawCells(CROSS, [GREY, WHITE], 16));
  if (why === 'forbidden' && !actor) {
    // A path of this server; the login page checks again where it redirects to.
    const next = encodeURIComponent(url.pathname + url.search);
    return { status: 302, headers: { location: `/login/?next=${next}`, 'cache-control': 'no-store' } };
  }
  return answer(status, 'text/html; charset=utf-8', TEXTS[why]);
}

function answer(status: number, contentType: string, body: string | Buffer): PageResponse {
  return { status, headers: { ...inertHeaders(contentType), 'cache-control': 'no-store' }, body };
}
