import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { DataStore, MemoryLocker } from '@tus/server';
import { findUnfinished, giveUp, ProtocolFault, storePieces } from '../partial/index.ts';

const lockers = new WeakMap<object, MemoryLocker>();

/** Who is writing to which upload in this process: a request ends an older one that still waits for bytes. */
export async function lockerOf({ server }: Pick<Context, 'server'>): Promise<MemoryLocker> {
  const { MemoryLocker } = await import('@tus/server');
  const locker = lockers.get(server) ?? new MemoryLocker();
  lockers.set(server, locker);
  return locker;
}

/**
 * The uploads of an organization as the library asks for them: rows and pieces that every process finds. They are made by
 * `reserve`, before the library asks for it.
 */
export async function dataStoreOf(context: Context, realm: RealmRef): Promise<DataStore> {
  const { DataStore, Upload } = await import('@tus/server');
  const find = async (pathId: string) => {
    const row = await context.store.in(realm).query((tx) => findUnfinished(tx, pathId));
    if (!row) throw new ProtocolFault(404, 'Upload not found');
    return row;
  };
  return Object.assign(new DataStore(), {
    // The length must be known at the beginning: only so can an upload be refused in time. What expires is swept by us.
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
