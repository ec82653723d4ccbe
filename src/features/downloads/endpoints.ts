import type { Actor } from '#kernel/auth';
import { endpoint, everyone, pathText } from '#kernel/endpoint';
import type { ReadContext } from '#kernel/context';
import { bool, str } from '#kernel/schema';
import type { AttachmentRow } from '#features/uploads';
import { accessFile } from './access.ts';
import { FileForbidden, FileGone } from './errors.ts';
import { fileToken } from './tokens.ts';

const pathOfFile = {
  realm_id: pathText('First part of the path of the file.'),
  folder: pathText(),
  token: pathText(),
  filename: pathText('Last part of the path of the file.'),
};
type PathOfFile = { readonly [K in keyof typeof pathOfFile]: string };

/** Returns the file at a path, or throws if the caller may not open it. */
async function fileOf(context: ReadContext, actor: Actor, path: PathOfFile): Promise<AttachmentRow> {
  const pathId = `${path.realm_id}/${path.folder}/${path.token}/${path.filename}`;
  const outcome = await context.store.as(actor).read((tx) => accessFile(tx, context, pathId));
  if ('file' in outcome) return outcome.file;
  throw outcome.refused === 'gone' ? FileGone() : FileForbidden();
}

const getTemporaryUrl = endpoint({
  id: 'get-file-temporary-url',
  method: 'GET',
  path: '/user_uploads/{realm_id}/{folder}/{token}/{filename}',
  source: 'protocol/files#temporary-addresses',
  doc: 'A temporary address of a file, which needs no login for a minute.',
  who: everyone,
  params: pathOfFile,
  returns: { url: str() },
  fails: [FileGone, FileForbidden],
  async run({ actor, params, context }) {
    const { path_id } = await fileOf(context, actor, params);
    const token = fileToken(context.server.secret, path_id, context.clock.now());
    return { url: `/user_uploads/temporary/${token}/${encodeURIComponent(params.filename)}` };
  },
});

const getThumbnailStatus = endpoint({
  id: 'get-thumbnail-status',
  method: 'GET',
  path: '/thumbnail/status/{realm_id}/{folder}/{token}/{filename}',
  source: 'protocol/files#thumbnails',
  doc: 'Whether the thumbnails of a file are ready.',
  who: everyone,
  params: pathOfFile,
  returns: { has_thumbnail: bool() },
  fails: [FileGone, FileForbidden],
  async run({ actor, params, context }) {
    const { image } = await fileOf(context, actor, params);
    return { has_thumbnail: image !== null && image.thumbnails.length > 0 };
  },
});

export const downloadEndpoints = [getTemporaryUrl, getThumbnailStatus];
