import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Server } from '@tus/server';
import { FileTooLarge } from '../errors.ts';
import { newPathId, strictlySanitisedName } from '../names.ts';
import { finishUpload, ProtocolFault, sentName } from './finish.ts';
import { reserve } from './reserve.ts';
import { pathIdOf, spoolId, spoolOf } from './spool.ts';

/** Where the protocol is served. See protocol/files#tus. */
export const TUS_PATH = '/api/v1/tus';
/** Under this name an upload knows whose it is; what a client sends under it does not count. */
const OWNER = 'owner';
const MIB = 1024 * 1024;
const TOO_LARGE = 413;
const UNAVAILABLE = 503;
const AWAY = 'The server is temporarily unavailable';

/** The protocol for one caller. Servers are cheap; the spool and its locks are shared. Null: only what needs no login. */
export async function protocolFor(context: Context, realm: RealmRef, actor: Actor | null): Promise<Server> {
  const { Server } = await import('@tus/server');
  const { store, locker } = await spoolOf(context);
  const caller = (): Actor => {
    if (!actor) throw new ProtocolFault(401, 'Unauthenticated upload');
    return actor;
  };
  return new Server({
    path: TUS_PATH,
    datastore: store,
    locker,
    relativeLocation: true,
    maxSize: context.server.maxUploadMib * MIB,
    namingFunction: (_request, metadata) =>
      spoolId(newPathId(context.clock, realm.id, strictlySanitisedName(sentName({ metadata })))),
    generateUrl: (_request, { path, id }) => `${path}/${pathIdOf(id)}`,
    getFileIdFromRequest: (request) => idOf(new URL(request.url).pathname, realm),
    onUploadCreate: async (_request, upload) => {
      const { userId } = caller();
      await reserve(context, realm, { path_id: pathIdOf(upload.id), owner_id: userId, size: upload.size ?? 0 });
      return { metadata: { ...upload.metadata, [OWNER]: String(userId) } };
    },
    onIncomingRequest: async (request, id) => {
      if (request.method === 'POST') return;
      const upload = await store.configstore.get(id);
      // Somebody else's upload is none.
      if (upload?.metadata?.[OWNER] !== String(caller().userId)) throw new ProtocolFault(404, 'Upload not found');
    },
    onUploadFinish: async (request, upload) => ({
      status_code: request.method === 'PATCH' ? 200 : 201,
      headers: { 'Content-Type': 'application/json' },
      body: await finishUpload(context, realm, caller(), upload),
    }),
    onResponseError: (_request, error) => {
      if (isTemporary(error)) return { status_code: UNAVAILABLE, body: JSON.stringify({ message: AWAY }) };
      const isOwn = error instanceof ProtocolFault || !('status_code' in error) || error.status_code !== TOO_LARGE;
      if (isOwn) return undefined;
      const { message } = FileTooLarge({ max_size: context.server.maxUploadMib });
      return { status_code: TOO_LARGE, body: JSON.stringify({ message }) };
    },
  });
}

/** The upload that an address names, by its name in the spool; one of another organization is none. */
export function idOf(pathname: string, realm: RealmRef): string | undefined {
  const [pathId = ''] = pathname.slice(TUS_PATH.length + 1).split('+', 1);
  const isOurs = /^\d+\/[0-9a-f]{1,2}\/[A-Za-z0-9]{10,}\/[\w.-]+$/.test(pathId);
  return isOurs && pathId.startsWith(`${realm.id}/`) ? spoolId(pathId) : undefined;
}

/** Whether the same bytes may be taken later: their file, or the folder of pieces, can not be written now. */
function isTemporary(error: Error | { readonly status_code: number }): boolean {
  if (error instanceof ProtocolFault) return false;
  return !('status_code' in error) || error.status_code >= 500;
}
