import { endpoint, everyone, file, path } from '#kernel/endpoint';
import { idOf, int, list, str } from '#kernel/schema';
import { removeAttachment } from './actions.ts';
import { FileMissing, FileTooLarge, InvalidAttachment, OneFileOnly, UploadQuotaExceeded } from './errors.ts';
import { listFiles } from './list.ts';
import { uploadUrl } from './names.ts';
import { receiveFile } from './receive.ts';
import type { AttachmentId } from './tables.ts';
import { wireAttachment } from './wire.ts';

const uploadFile = endpoint({
  id: 'upload-file',
  method: 'POST',
  path: '/user_uploads',
  source: 'protocol/files#upload',
  doc: 'Uploads a file; it is shared by sending a message with a link to it.',
  who: everyone,
  params: { file: file('The file, as the one file part of the form, whatever its name.') },
  returns: { url: str(), uri: str(), filename: str() },
  fails: [FileMissing, OneFileOnly, FileTooLarge, UploadQuotaExceeded],
  async run({ actor, params, context }) {
    if (!params.file) throw FileMissing();
    const { path_id, name } = await receiveFile(context, actor, params.file);
    return { url: uploadUrl(path_id), uri: uploadUrl(path_id), filename: name };
  },
});

const getAttachments = endpoint({
  id: 'get-attachments',
  method: 'GET',
  path: '/attachments',
  source: 'protocol/files#attachments',
  doc: 'The files that the caller uploaded, and the bytes that all files of the organization take.',
  who: everyone,
  params: {},
  returns: { attachments: list(wireAttachment), upload_space_used: int() },
  run: ({ actor, context, request }) => listFiles(context, actor, request),
});

const deleteAttachment = endpoint({
  id: 'delete-attachment',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  source: 'protocol/files#attachments',
  doc: "Deletes one of the caller's files.",
  who: everyone,
  params: { attachment_id: path(idOf<AttachmentId>()) },
  returns: {},
  fails: [InvalidAttachment],
  async run({ actor, params, context }) {
    await removeAttachment(context, actor, params.attachment_id);
    return {};
  },
});

export const uploadEndpoints = [uploadFile, getAttachments, deleteAttachment];
