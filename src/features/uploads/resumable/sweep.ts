import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { UNFINISHED_FOLDER } from '../names.ts';
import { giveUp, listUnfinishedBefore, withoutPiece } from '../partial/index.ts';

/** Seconds that an unfinished upload is kept, and its room reserved. See protocol/files#tus. */
const UNFINISHED_SECONDS = SECONDS_PER_DAY;
const BATCH = 200;

/** Removes uploads that were begun long ago and never finished, and pieces that no row knows of. */
export async function sweepUnfinished(context: Context): Promise<void> {
  for (let more = true; more; ) {
    const old = await context.store.query((tx) => listUnfinishedBefore(tx, tx.now - UNFINISHED_SECONDS, BATCH));
    for (const upload of old) await giveUp(context, upload);
    more = old.length === BATCH;
  }
  await removeOrphans(context);
}

/** A process may have died between storing a piece and its row, or between a row's end and the removal of its piece. */
async function removeOrphans(context: Context): Promise<void> {
  const before = context.clock.nowMs() - UNFINISHED_SECONDS * 1000;
  let batch: string[] = [];
  const flush = async () => {
    const tokenOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);
    const unknown = await context.store.query((tx) => withoutPiece(tx, batch.map(tokenOf)));
    for (const key of batch) if (unknown.has(tokenOf(key))) await context.files.remove(key);
    batch = [];
  };
  for await (const { key, storedAtMs } of context.files.list(UNFINISHED_FOLDER)) {
    if (storedAtMs > before) continue;
    batch.push(key);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}
