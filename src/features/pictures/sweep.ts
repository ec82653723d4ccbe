import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { listRealms } from '#features/realms';
import { pictureKey } from './serve.ts';

/** Seconds for which an unused picture stays: the request that stored it may be about to write its row. */
const ORPHAN_SECONDS = SECONDS_PER_DAY;
/** Milliseconds between two looks. */
const EVERY_MS = 3_600_000;
const BATCH = 200;

/** A folder of each organization's pictures, as in their addresses, and which of its names a row still shows. */
export interface PictureFolder {
  readonly folder: string;
  readonly shown: (tx: RealmReadTx, names: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Removes pictures of a folder that no row shows: what a crash left behind between the file and its row. */
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

/** Sweeps a folder now and then while the server runs. Several processes may do it at once. */
export function sweepingPictures(folder: PictureFolder): (context: Context) => () => Promise<void> {
  return (context) => {
    const failed = (error: unknown) => context.log.room('pictures').warn({ err: error }, 'pictures could not be swept');
    return repeat(context.clock, () => sweepPictures(context, folder), { everyMs: EVERY_MS, failed });
  };
}

/** A picture of a fixed name may have been stored anew since it was listed; then its row is just being written. */
async function removeOld(context: Context, wanted: string): Promise<void> {
  for await (const { key, storedAtMs } of context.files.list(wanted)) {
    if (key === wanted && isOld(context, storedAtMs)) await context.files.remove(key);
  }
}

function isOld(context: Pick<Context, 'clock'>, storedAtMs: number): boolean {
  return storedAtMs <= context.clock.nowMs() - ORPHAN_SECONDS * 1000;
}
