import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { listRealms } from '#features/realms';
import { pictureKey } from './serve.ts';

/** Seconds for which an unused picture is kept: the request that stored it may be about to write its row. */
const ORPHAN_SECONDS = SECONDS_PER_DAY;
/** Milliseconds between two sweeps. */
const EVERY_MS = 3_600_000;
const BATCH = 200;

/**
 * A folder of each organization's pictures, as in their addresses, and a query that tells which of them rows refer to.
 */
export interface PictureFolder {
  readonly folder: string;
  readonly shown: (tx: RealmReadTx, names: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Deletes pictures of a folder that no row refers to, left by a crash between storing the file and its row. */
export async function sweepPictures(context: Context, { folder, shown }: PictureFolder): Promise<void> {
  for (const { id } of await context.store.query((tx) => listRealms(tx))) {
    const start = pictureKey(`${id}/${folder}/`);
    let names: string[] = [];
    const flush = async () => {
      const known = await context.store.of(id).query((tx) => shown(tx, names));
      for (const name of names) if (!known.has(name)) await removeOld(context, start + name);
      names = [];
    };
    for await (const { key, storedAtMs } of context.files.list(start)) {
      if (isOld(context, storedAtMs)) names.push(key.slice(start.length));
      if (names.length === BATCH) await flush();
    }
    if (names.length > 0) await flush();
  }
}

/** Sweeps a folder periodically while the server runs. Several processes may do it at once. */
export function sweepingPictures(folder: PictureFolder): (context: Context) => () => Promise<void> {
  return (context) => {
    const failed = (error: unknown) => context.log.room('pictures').warn({ err: error }, 'pictures could not be swept');
    return repeat(context.clock, () => sweepPictures(context, folder), { everyMs: EVERY_MS, failed });
  };
}

/**
 * Deletes a picture if it is still old: one with a fixed name may have been stored again since it was listed, and its
 * row is about to be written.
 */
async function removeOld(context: Context, wanted: string): Promise<void> {
  for await (const { key, storedAtMs } of context.files.list(wanted)) {
    if (key === wanted && isOld(context, storedAtMs)) await context.files.remove(key);
  }
}

function isOld(context: Pick<Context, 'clock'>, storedAtMs: number): boolean {
  return storedAtMs <= context.clock.nowMs() - ORPHAN_SECONDS * 1000;
}
