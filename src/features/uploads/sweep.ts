import { repeat } from '#kernel/clock';
import type { RealmId } from '#kernel/ids';
import type { Kit } from '#kernel/kit';
import { listRealms } from '#features/realms';
import { dropAttachments } from './actions.ts';
import { deleteUnfinishedBefore } from './resumable/queries.ts';
import { sweepSpool, UNFINISHED_SECONDS } from './resumable/spool.ts';
import { listUnused, withoutAttachment } from './queries.ts';

/** Seconds that a file is kept which nothing uses. See protocol/files#claims. */
const UNUSED_SECONDS = 28 * 86_400;
/** Seconds that bytes without a row are left alone: their upload may be about to write it. */
const ORPHAN_SECONDS = 86_400;
/** Milliseconds between two looks. */
const EVERY_MS = 3_600_000;
const BATCH = 200;

/** Removes files that nothing has used for weeks, and bytes that no row knows of: what a crash left behind. */
export async function sweepFiles(kit: Kit): Promise<void> {
  const realms = await kit.store.query((tx) => listRealms(tx));
  for (const { id } of realms) await expireUnused(kit, id);
  await removeOrphans(kit);
  await sweepSpool(kit);
  // Their files are gone when every process has swept twice.
  await kit.store.write((tx) => deleteUnfinishedBefore(tx, tx.now - UNFINISHED_SECONDS - (2 * EVERY_MS) / 1000));
  await kit.files.sweepUnfinished(kit.clock.nowMs() - ORPHAN_SECONDS * 1000);
}

/** Sweeps now and then while the server runs. Several processes may do it at once. */
export function sweepRegularly(kit: Kit): () => Promise<void> {
  const failed = (error: unknown) => kit.log.room('uploads').warn({ err: error }, 'files could not be swept');
  return repeat(kit.clock, () => sweepFiles(kit), { everyMs: EVERY_MS, failed });
}

async function expireUnused(kit: Kit, realmId: RealmId): Promise<void> {
  for (let more = true; more; ) {
    more = await kit.store.write(async (tx) => {
      const rows = await listUnused(tx, realmId, tx.now - UNUSED_SECONDS, BATCH);
      await dropAttachments(
        kit,
        tx,
        realmId,
        rows.map((row) => row.id),
      );
      return rows.length === BATCH;
    });
  }
}

async function removeOrphans(kit: Kit): Promise<void> {
  const before = kit.clock.nowMs() - ORPHAN_SECONDS * 1000;
  let batch: string[] = [];
  for (const folder of ['uploads/', 'thumbnails/']) {
    for await (const { key, storedAtMs } of kit.files.list(folder)) {
      if (storedAtMs > before) continue;
      batch.push(key);
      if (batch.length < BATCH) continue;
      await removeUnknown(kit, batch);
      batch = [];
    }
  }
  await removeUnknown(kit, batch);
}

async function removeUnknown(kit: Kit, keys: readonly string[]): Promise<void> {
  const paths = new Map(keys.map((key) => [key, key.split('/').slice(1, 5).join('/')]));
  const unknown = await kit.store.query((tx) => withoutAttachment(tx, [...new Set(paths.values())]));
  for (const [key, pathId] of paths) if (unknown.has(pathId)) await kit.files.remove(key);
}
