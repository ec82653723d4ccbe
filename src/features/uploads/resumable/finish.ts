import type { Actor, RealmRef } from '#kernel/auth';
import { ApiError } from '#kernel/errors';
import type { Context } from '#kernel/context';
import type { Upload } from '@tus/server';
import { contentTypeOf } from '../content-types.ts';
import { uploadKey, uploadUrl } from '../names.ts';
import { addAttachment } from '../receive.ts';
import { deleteUnfinished } from './queries.ts';
import { pathIdOf, spoolOf } from './spool.ts';

/** Stands for a name that is none. See protocol/files#tus. */
const NO_NAMES: ReadonlySet<string> = new Set(['', '.', '..']);

/** An answer outside the protocol's good ways, as the library takes it. */
export class ProtocolFault extends Error {
  readonly status_code: number;
  readonly body: string;

  constructor(status: number, message: string) {
    super(message);
    this.status_code = status;
    this.body = JSON.stringify({ message });
  }
}

/** The same, of a file that is too large or too much: 413 with the words of the plain upload. */
export function tooMuch(error: unknown): unknown {
  return error instanceof ApiError ? new ProtocolFault(413, error.message) : error;
}

/** The name that people see: as it was sent. */
export function sentName(upload: Pick<Upload, 'metadata'>): string {
  const name = upload.metadata?.['filename'] ?? '';
  return NO_NAMES.has(name) ? 'uploaded-file' : name;
}

/** Moves a finished upload into the store and makes its attachment; gives the body of the last answer. */
export async function finishUpload(context: Context, realm: RealmRef, actor: Actor, upload: Upload): Promise<string> {
  const path_id = pathIdOf(upload.id);
  const name = sentName(upload);
  const { store } = await spoolOf(context);
  const size = await context.files.putFile(uploadKey(path_id), upload.storage?.path ?? '');
  await store.configstore.delete(upload.id);
  const content_type = contentTypeOf(upload.metadata?.['filetype'] ?? undefined, name);
  try {
    await addAttachment(context, realm, actor, { name, path_id, size, content_type });
  } catch (error) {
    await context.files.remove(uploadKey(path_id));
    await release(context, path_id);
    throw tooMuch(error);
  }
  return finishedBody(path_id, name);
}

/** Gives back the room that an upload had reserved. */
export function release(context: Pick<Context, 'store'>, pathId: string): Promise<void> {
  return context.store.write((tx) => deleteUnfinished(tx, pathId));
}

/** What a client is told of a finished upload. See protocol/files#tus. */
export function finishedBody(pathId: string, name: string): string {
  return JSON.stringify({ url: uploadUrl(pathId), filename: name });
}
