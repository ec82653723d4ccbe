import { repeat } from '#kernel/clock';
import type { RealmId } from '#kernel/ids';
import type { Kit } from '#kernel/kit';
import type { ReadTx } from '#kernel/store';
import { listRealms } from '#features/realms';
import { pictureKey } from './serve.ts';

/** Seconds that a picture which nothing shows is left alone: whoever stored it may be about to write its row. */
const ORPHAN_SECONDS = 86_400;
/** Milliseconds between two looks. */
const EVERY_MS = 3_600_000;
const BATCH = 200;

/** A folder of each organization's pictures, as in their addresses, and which of its names a row still shows. */
export interface PictureFolder {
  readonly folder: string;
  readonly shown: (tx: ReadTx, realmId: RealmId, names: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Removes pictures of a folder that no row shows: what a crash left behind between the file and its row. */
export async function sweepPictures(kit: Kit, { folder, shown }: PictureFolder): Promise<void> {
  for (const { id } of await kit.store.query((tx) => listRealms(tx))) {
    const start = pictureKey(`${id}/${folder}/`);
    let names: string[] = [];
    const flush = async () => {
      const known = await kit.store.query((tx) => shown(tx, id, names));
      for (const name of names) if (!known.has(name)) await removeOld(kit, start + name);
      names = [];
    };
    for await (const { key, storedAtMs } of kit.files.list(start)) {
      if (isOld(kit, storedAtMs)) names.push(key.slice(start.length));
      if (names.length === BATCH) await flush();
    }
    if (names.length > 0) await flush();
  }
}

/** Sweeps a folder now and then while the server runs. Several processes may do it at once. */
export function sweepingPictures(folder: PictureFolder): (kit: Kit) => () => Promise<void> {
  return (kit) => {
    const failed = (error: unknown) => kit.log.room('pictures').warn({ err: error }, 'pictures could not be swept');
    return repeat(kit.clock, () => sweepPictures(kit, folder), { everyMs: EVERY_MS, failed });
  };
}

/** A picture of a fixed name may have been stored anew since it was listed; then its row is just being written. */
async function removeOld(kit: Kit, wanted: string): Promise<void> {
  for await (const { key, storedAtMs } of kit.files.list(wanted)) {
    if (key === wanted && isOld(kit, storedAtMs)) await kit.files.remove(key);
  }
}

function isOld(kit: Pick<Kit, 'clock'>, storedAtMs: number): boolean {
  return storedAtMs <= kit.clock.nowMs() - ORPHAN_SECONDS * 1000;
}
