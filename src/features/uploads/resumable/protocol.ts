import type { Server, Upload } from '@tus/server';
import type { Actor, RealmRef } from '#kernel/auth';
import type { PageRequest } from '#kernel/endpoint';
import { FileTooLarge } from '../errors.ts';
import { newPathId, strictlySanitisedName } from '../names.ts';
import { dataStoreOf, lockerOf, reserve } from './reserve.ts';
import { findUnfinished, isRefusal, ProtocolFault } from '../partial/index.ts';
import { finishUpload, sentName } from './finish.ts';

/** Path of the protocol. See protocol/files#tus. */
export const TUS_PATH = '/api/v1/tus';
const MIB = 1024 * 1024;
const TOO_LARGE = 413;
const NOT_IMPLEMENTED = 501;
const UNAVAILABLE = 503;
const AWAY = 'The server is temporarily unavailable';

/**
 * The library's server for one request. Servers are cheap to make; uploads and their locks are shared. Parts of the
 * protocol need no login.
 */
export async function protocolFor(request: PageRequest, realm: RealmRef): Promise<Server> {
  const { context } = request;
  const caller = (): Actor => {
    if (!request.actor) throw unauthenticated();
    return request.actor;
  };
  const { Server } = await import('@tus/server');
  return new Server({
    path: TUS_PATH,
    datastore: await dataStoreOf(context, realm),
    locker: await lockerOf(context),
    relativeLocation: true,
    maxSize: context.server.maxUploadMib * MIB,
    namingFunction: (_request, metadata) =>
      newPathId(context.clock, realm.id, strictlySanitisedName(sentName({ metadata }))),
    generateUrl: (_request, { path, id }) => `${path}/${id}`,
    getFileIdFromRequest: (request) => idOf(new URL(request.url).pathname, realm),
    onUploadCreate: async (_request, upload) => {
      await reserve(context, realm, rowOf(upload, caller()));
      return {};
    },
    onIncomingRequest: async ({ method }, id) => {
      if (method === 'POST') return;
      const upload = await context.store.in(realm).query((tx) => findUnfinished(tx, id));
      // Somebody else's upload is answered like an unknown one.
      if (upload?.owner_id !== caller().userId) throw new ProtocolFault(404, 'Upload not found');
    },
    onUploadFinish: async ({ method }, upload) => {
      await request.assertStillIn().catch(refuse);
      return {
        status_code: method === 'PATCH' ? 200 : 201,
        headers: { 'Content-Type': 'application/json' },
        body: await finishUpload(context, caller(), rowOf(upload, caller())),
      };
    },
    onResponseError: (_request, error) => {
      if (isTemporary(error)) return { status_code: UNAVAILABLE, body: JSON.stringify({ message: AWAY }) };
      const isOwn = error instanceof ProtocolFault || !('status_code' in error) || error.status_code !== TOO_LARGE;
      if (isOwn) return undefined;
      const { message } = FileTooLarge({ max_size: context.server.maxUploadMib });
      return { status_code: TOO_LARGE, body: JSON.stringify({ message }) };
    },
  });
}

const unauthenticated = () => new ProtocolFault(401, 'Unauthenticated upload');

/** A caller who may no longer act is treated as unauthenticated. */
function refuse(error: unknown): never {
  throw isRefusal(error) ? unauthenticated() : error;
}

/** Parses the upload's ID from a path; undefined for uploads of other organizations. */
export function idOf(pathname: string, realm: RealmRef): string | undefined {
  const [pathId = ''] = pathname.slice(TUS_PATH.length + 1).split('+', 1);
  const isOurs = /^\d+\/[0-9a-f]{1,2}\/[A-Za-z0-9]{10,}\/[\w.-]+$/.test(pathId);
  return isOurs && pathId.startsWith(`${realm.id}/`) ? pathId : undefined;
}

/** Converts the library's upload to its row. */
function rowOf({ id, size = 0, metadata = {} }: Upload, { userId }: Actor) {
  return { path_id: id, owner_id: userId, size, metadata };
}

/** Whether sending the same bytes later may succeed, because they cannot be stored now. */
function isTemporary(error: Error | { readonly status_code: number }): boolean {
  if (error instanceof ProtocolFault) return false;
  return !('status_code' in error) || (error.status_code >= 500 && error.status_code !== NOT_IMPLEMENTED);
}
