import { SECONDS_PER_DAY } from '#kernel/clock';
import { join } from 'node:path';
import type { Context } from '#kernel/context';
import type { FileStore } from '@tus/file-store';
import type { MemoryLocker } from '@tus/server';

/** Seconds that an unfinished upload is kept, and its room reserved. See protocol/files#tus. */
export const UNFINISHED_SECONDS = SECONDS_PER_DAY;

/** What arrives in pieces: a folder of this machine, and who is writing to it in this process. */
interface Spool {
  readonly store: FileStore;
  readonly locker: MemoryLocker;
}

const spools = new WeakMap<object, Promise<Spool>>();

/** The spool of a server; loaded and opened with the first upload that needs it, and again after a restart. */
export function spoolOf(context: Pick<Context, 'server'>): Promise<Spool> {
  const spool = spools.get(context.server) ?? openSpool(context);
  spools.set(context.server, spool);
  return spool;
}

async function openSpool(context: Pick<Context, 'server'>): Promise<Spool> {
  const [{ FileStore }, { MemoryLocker }] = await Promise.all([import('@tus/file-store'), import('@tus/server')]);
  const store = new FileStore({
    directory: join(context.server.spoolDir, 'tus'),
    expirationPeriodInMilliseconds: UNFINISHED_SECONDS * 1000,
  });
  // The length must be known at the beginning: only so can an upload be refused in time. What expires is swept by us.
  store.extensions = ['creation', 'creation-with-upload', 'termination'];
  return { store, locker: new MemoryLocker() };
}

/** The name in the spool, which is flat, of the upload that will have this address. */
export function spoolId(pathId: string): string {
  return pathId.replaceAll('/', '~');
}

/** The address that an upload of this name in the spool will have. */
export function pathIdOf(id: string): string {
  return id.replaceAll('~', '/');
}

/** Removes uploads that were begun long ago and never finished. */
export async function sweepSpool(context: Pick<Context, 'server'>): Promise<void> {
  try {
    const { store } = await spoolOf(context);
    await store.deleteExpired();
  } catch (error) {
    // There is no folder before the first upload, and another process may sweep at the same time.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
