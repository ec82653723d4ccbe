import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { closestFormat, THUMBNAIL_FORMATS } from '#kernel/images';
import { type AttachmentRow, findAttachmentsByPath, thumbnailKey } from '#features/uploads';
import { accessFile } from './access.ts';
import { InvalidFilename, InvalidToken } from './errors.ts';
import { refuse } from './refusals.ts';
import { serveBytes, serveUpload } from './serve.ts';
import { pathIdOfToken } from './tokens.ts';

/** Checks whether the caller may open a file, then has `give` reply. See protocol/files#fetching. */
async function guarded(
  request: PageRequest,
  pathId: string,
  give: (file: AttachmentRow) => Promise<PageResponse | undefined>,
): Promise<PageResponse> {
  const { context, realm, actor, refusal } = request;
  if (refusal) throw refusal;
  if (!realm) return refuse(request, 'gone');
  const outcome = await context.store.asCaller(realm, actor).read((tx) => accessFile(tx, context, pathId));
  if ('refused' in outcome) return refuse(request, outcome.refused);
  if (!actor) await context.limits.take('spectator-file', pathId);
  return (await give(outcome.file)) ?? refuse(request, 'gone');
}

const fileOf = ({ path }: PageRequest): string => `${path['realm_id'] ?? ''}/${path['rest'] ?? ''}`;

const upload = page({
  methods: ['GET'],
  path: '/user_uploads/{realm_id}/{rest*}',
  takesKey: true,
  handle: (request) => guarded(request, fileOf(request), (file) => serveUpload(request, file, false)),
});

const download = page({
  methods: ['GET'],
  path: '/user_uploads/download/{realm_id}/{rest*}',
  takesKey: true,
  handle: (request) => guarded(request, fileOf(request), (file) => serveUpload(request, file, true)),
});

const thumbnail = page({
  methods: ['GET'],
  path: '/user_uploads/thumbnail/{realm_id}/{rest*}',
  takesKey: true,
  handle: (request) => {
    const parts = fileOf(request).split('/');
    const pathId = parts.slice(0, -1).join('/');
    return guarded(request, pathId, (file) => serveThumbnail(request, file, parts.at(-1) ?? ''));
  },
});

/** Serves the thumbnail with this name, or the one with the closest format. See protocol/files#thumbnails. */
function serveThumbnail(
  { context, headers }: PageRequest,
  { image, path_id }: AttachmentRow,
  asked: string,
): Promise<PageResponse | undefined> {
  const made = THUMBNAIL_FORMATS.filter((format) => image?.thumbnails.includes(format.name));
  const name = image?.transcoded === asked ? asked : closestFormat(asked, made)?.name;
  if (name === undefined) return Promise.resolve(undefined);
  const served = { key: thumbnailKey(path_id, name), name, contentType: 'image/webp', isDownload: false };
  return serveBytes(context, headers, served);
}

const temporary = page({
  methods: ['GET'],
  path: '/user_uploads/temporary/{token}/{filename}',
  async handle(request) {
    const { context, realm, path } = request;
    const pathId = pathIdOfToken(context.server.secret, path['token'] ?? '', context.clock.now());
    if (pathId === undefined || !realm) throw InvalidToken();
    const [file] = await context.store.in(realm).query((tx) => findAttachmentsByPath(tx, [pathId]));
    if (!file) throw InvalidToken();
    if (pathId.split('/').at(-1) !== path['filename']) throw InvalidFilename();
    return serveUpload(request, file, false);
  },
});

/**
 * The legacy address of thumbnails: serves the whole file, whatever size is requested. See protocol/files#thumbnails.
 */
const legacyThumbnail = page({
  methods: ['GET'],
  path: '/thumbnail',
  takesKey: true,
  handle: (request) => {
    const named = /^\/?user_uploads\/(.+)$/.exec(request.url.searchParams.get('url') ?? '')?.[1];
    if (named === undefined) return Promise.resolve(refuse(request, 'gone'));
    return guarded(request, named, (file) => serveUpload(request, file, false));
  },
});

export const downloadPages = [upload, download, thumbnail, temporary, legacyThumbnail];
