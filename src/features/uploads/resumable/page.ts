import type { Actor } from '#kernel/auth';
import { type PageRequest, type PageResponse, page } from '#kernel/endpoint';
import { findUnfinished } from '../partial/index.ts';
import { findAttachmentsByPath } from '../queries.ts';
import type { AttachmentRow } from '../tables.ts';
import { finishedBody, finishUpload } from './finish.ts';
import { idOf, protocolFor, TUS_PATH } from './protocol.ts';

const METHODS = ['OPTIONS', 'GET', 'POST', 'PATCH', 'DELETE'];
const VERSION = '1.0.0';
const PROTOCOL = { 'tus-resumable': VERSION, 'cache-control': 'no-store' };

/** Resumable uploads with the tus protocol, for a caller with an API key or a session. See protocol/files#tus. */
async function serve(request: PageRequest): Promise<PageResponse | undefined> {
  const { context, realm, actor, refusal, raw } = request;
  const method = raw.request.method ?? '';
  if (method === 'GET') return { status: 405, headers: { allow: 'DELETE, HEAD, OPTIONS, PATCH, POST' } };
  if (!realm) return answer(404, 'Upload not found');
  if (method !== 'OPTIONS') {
    if (refusal) return answer(refusal.row.status === 403 ? 403 : 401, refusal.message);
    if (!actor) return answer(401, 'Unauthenticated upload');
    if (request.headers['tus-resumable'] !== VERSION) return refuseVersion();
    if (request.headers['upload-defer-length'] !== undefined) return answer(411, 'SizeIsDeferred is not supported');
    if (method === 'POST') await context.limits.take('user', String(actor.userId));
    const finished = method === 'POST' ? undefined : await finishedFile(request, actor);
    if (finished) return answerFinished(request, finished);
  }
  const protocol = await protocolFor(request, realm);
  await protocol.handle(raw.request, raw.response);
  return undefined;
}

/**
 * The caller's file of a finished upload, for a client that asks again because its connection broke before the last
 * answer. If all bytes arrived just before the server stopped, the upload is finished here.
 */
async function finishedFile({ context, url }: PageRequest, actor: Actor): Promise<AttachmentRow | undefined> {
  const id = idOf(url.pathname, actor.realm);
  if (id === undefined) return undefined;
  const find = async () => {
    const [row] = await context.store.as(actor).query((tx) => findAttachmentsByPath(tx, [id]));
    return row?.owner_id === actor.userId ? row : undefined;
  };
  const known = await find();
  if (known) return known;
  const upload = await context.store.as(actor).query((tx) => findUnfinished(tx, id));
  if (upload?.owner_id !== actor.userId || upload.received !== upload.size) return undefined;
  await finishUpload(context, actor, upload);
  return find();
}

function answerFinished({ raw, headers }: PageRequest, { size, path_id, name }: AttachmentRow): PageResponse {
  const offsets = { ...PROTOCOL, 'upload-offset': String(size), 'upload-length': String(size) };
  if (raw.request.method === 'HEAD') return { headers: offsets };
  if (raw.request.method === 'PATCH' && headers['upload-offset'] === String(size))
    return { headers: { ...offsets, 'content-type': 'application/json' }, body: finishedBody(path_id, name) };
  return raw.request.method === 'DELETE'
    ? answer(400, 'Cannot terminate an already completed upload')
    : answer(409, 'Upload-Offset conflict');
}

/** The protocol requires that the refusal of a version names the supported ones. */
function refuseVersion(): PageResponse {
  const { headers, ...rest } = answer(412, 'Tus-Resumable Required');
  return { ...rest, headers: { ...headers, 'tus-version': VERSION } };
}

function answer(status: number, message: string): PageResponse {
  return {
    status,
    headers: { ...PROTOCOL, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  };
}

export const resumablePages = [
  page({ methods: METHODS, path: TUS_PATH, needsCsrfHeader: true, handle: serve }),
  page({ methods: METHODS, path: `${TUS_PATH}/{rest*}`, needsCsrfHeader: true, handle: serve }),
];
