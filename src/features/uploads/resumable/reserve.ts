import type { DataStore, MemoryLocker } from '@tus/server';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import {
  findUnfinished,
  giveUp,
  insertUnfinished,
  ProtocolFault,
  readUnfinished,
  storePieces,
  tooMuch,
} from '../partial/index.ts';
import { addUsage } from '../queries.ts';
import { assertFits, readRoom } from '../receive.ts';
import type { UnfinishedUpload } from '../tables.ts';

const MIB = 1024 * 1024;

/**
 * Most unfinished uploads, and the bytes that they may take together, in files of the largest size. See
 * protocol/files#tus.
 */
const PER_PERSON = { count: 50, largest: 5 };
const IN_ALL = { count: 2000, largest: 50 };

/** Reserves room for a new upload, for the size that its client announces; throws if there is none. */
export async function reserve(
  context: Context,
  realm: RealmRef,
  row: Pick<UnfinishedUpload, 'path_id' | 'owner_id' | 'size' | 'metadata'>,
): Promise<void> {
  const { size, owner_id } = row;
  const isBeyond = (taken: { count: number; bytes: number }, { count, largest }: typeof IN_ALL) =>
    taken.count > count || taken.bytes > largest * context.server.maxUploadMib * MIB;
  await context.store.in(realm).write(async (tx) => {
    // Locks the organization's row, so that simultaneous uploads are counted one after the other.
    await addUsage(tx, 0);
    try {
      assertFits(size, await readRoom(tx, context));
    } catch (error) {
      throw tooMuch(error);
    }
    await insertUnfinished(tx, { ...row, realm_id: realm.id });
    if (isBeyond(await readUnfinished(tx, { realm_id: realm.id, owner_id }), PER_PERSON))
      throw new ProtocolFault(429, 'You have too many unfinished uploads. Finish or cancel some first.');
  });
  // Other organizations lock other rows. The count over all is checked after the commit, so that two uploads never
  // overlook each other.
  if (!isBeyond(await context.store.query((tx) => readUnfinished(tx, {})), IN_ALL)) return;
  await giveUp(context, { path_id: row.path_id, realm_id: realm.id });
  throw new ProtocolFault(503, 'The server has no room for more unfinished uploads right now. Try again later.');
}

const lockers = new WeakMap<object, MemoryLocker>();

/**
 * Locks of the uploads that are written to in this process: a new request ends an older one that still waits for bytes.
 */
export async function lockerOf({ server }: Pick<Context, 'server'>): Promise<MemoryLocker> {
  const { MemoryLocker } = await import('@tus/server');
  const locker = lockers.get(server) ?? new MemoryLocker();
  lockers.set(server, locker);
  return locker;
}

/**
 * The uploads of an organization as the library's data store: rows and pieces that every process finds. `reserve` has
 * created an upload before the library asks for it.
 */
export async function dataStoreOf(context: Context, realm: RealmRef): Promise<DataStore> {
  const { DataStore, Upload } = await import('@tus/server');
  const find = async (pathId: string) => {
    const row = await context.store.in(realm).query((tx) => findUnfinished(tx, pathId));
    if (!row) throw new ProtocolFault(404, 'Upload not found');
    return row;
  };
  return Object.assign(new DataStore(), {
    // The length must be known from the beginning, or an upload could not be refused in time. The server's own sweep
    // handles expiry.
    extensions: ['creation', 'creation-with-upload', 'termination'],
    getUpload: async (id: string) => {
      const { size, received, metadata } = await find(id);
      return new Upload({ id, size, offset: received, metadata: metadata ?? {} });
    },
    write: async (stream: AsyncIterable<Uint8Array>, id: string, offset: number) =>
      storePieces(context, await find(id), offset, stream),
    remove: async (id: string) => giveUp(context, await find(id)),
  });
}
