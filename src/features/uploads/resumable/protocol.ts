import type { Server, Upload } from '@tus/server';
import type { Actor, RealmRef } from '#kernel/auth';
import type { PageRequest } from '#kernel/endpoint';
import { FileTooLarge } from '../errors.ts';
import { newPathId, strictlySanitisedName } from '../names.ts';
import { dataStoreOf, lockerOf, reserve } from './reserve.ts';
import { findUnfinished, isRefusal, ProtocolFault } from '../partial/index.ts';
import { finishUpload, sentName } from './finish.ts';

/** Where the protocol is served. See protocol/files#tus. */
export const TUS_PATH = '/api/v1/tus';
const MIB = 1024 * 1024;
const TOO_LARGE = 413;
const UNAVAILABLE = 503;
const AWAY = 'The server is temporarily unavailable';

/**
 * The protocol for one request. Servers are cheap; uploads and their locks are shared. Some of the protocol needs no login.
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
      // Somebody else's upload is none.
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

/** Whoever may not in any more is nobody. */
function refuse(error: unknown): never {
  throw isRefusal(error) ? unauthenticated() : error;
}

/** The upload that an address names, by its path; one of another organization is none. */
export function idOf(pathname: string, realm: RealmRef): string | undefined {
  const [pathId = ''] = pathname.slice(TUS_PATH.length + 1).split('+', 1);
  const isOurs = /^\d+\/[0-9a-f]{1,2}\/[A-Za-z0-9]{10,}\/[\w.-]+$/.test(pathId);
  return isOurs && pathId.startsWith(`${realm.id}/`) ? pathId : undefined;
}

/** An upload of the library as it is stored. */
function rowOf({ id, size = 0, metadata = {} }: Upload, { userId }: Actor) {
  return { path_id: id, owner_id: userId, size, metadata };
}

/** Whether the same bytes may be taken later: they can not be stored now. */
function isTemporary(error: Error | { readonly status_code: number }): boolean {
  if (error instanceof ProtocolFault) return false;
  return !('status_code' in error) || error.status_code >= 500;
}
