import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { RealmId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { listRealms } from '#features/realms';
import { dropAttachments } from './actions.ts';
import { sweepUnfinished } from './resumable/index.ts';
import { listUnused, withoutAttachment } from './queries.ts';

/** Seconds for which an unused file is kept. See protocol/files#claims. */
const UNUSED_SECONDS = 28 * SECONDS_PER_DAY;
/** Seconds for which bytes without a row are kept: their upload may be about to write it. */
const ORPHAN_SECONDS = SECONDS_PER_DAY;
/** Milliseconds between two sweeps. */
const EVERY_MS = 3_600_000;
const BATCH = 200;

/** Deletes files that nothing has used for weeks, and bytes without a row, which a crash left behind. */
export async function sweepFiles(context: Context): Promise<void> {
  const realms = await context.store.query((tx) => listRealms(tx));
  for (const { id } of realms) await expireUnused(context, id);
  await removeOrphans(context);
  await sweepUnfinished(context);
  await context.files.sweepUnfinished(context.clock.nowMs() - ORPHAN_SECONDS * 1000);
}

/** Sweeps periodically while the server runs. Several processes may do it at once. */
export function sweepRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) => context.log.room('uploads').warn({ err: error }, 'files could not be swept');
  return repeat(context.clock, () => sweepFiles(context), { everyMs: EVERY_MS, failed });
}

async function expireUnused(context: Context, realmId: RealmId): Promise<void> {
  for (let more = true; more; ) {
    more = await context.store.of(realmId).write(async (tx) => {
      const rows = await listUnused(tx, tx.now - UNUSED_SECONDS, BATCH);
      await dropAttachments(
        tx,
        rows.map((row) => row.id),
      );
      return rows.length === BATCH;
    });
  }
}

async function removeOrphans(context: Context): Promise<void> {
  const before = context.clock.nowMs() - ORPHAN_SECONDS * 1000;
  let batch: string[] = [];
  for (const folder of ['uploads/', 'thumbnails/']) {
    for await (const { key, storedAtMs } of context.files.list(folder)) {
      if (storedAtMs > before) continue;
      batch.push(key);
      if (batch.length < BATCH) continue;
      await removeUnknown(context, batch);
      batch = [];
    }
  }
  await removeUnknown(context, batch);
}

async function removeUnknown(context: Context, keys: readonly string[]): Promise<void> {
  const paths = new Map(keys.map((key) => [key, key.split('/').slice(1, 5).join('/')]));
  const unknown = await context.store.query((tx) => withoutAttachment(tx, [...new Set(paths.values())]));
  for (const [key, pathId] of paths) if (unknown.has(pathId)) await context.files.remove(key);
}
