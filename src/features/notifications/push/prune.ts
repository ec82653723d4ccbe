import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { deletePushedUpTo, listOldestPushed } from './queries.ts';

/** Seconds after which no phone shows a notification any more; FCM keeps undelivered ones for four weeks. */
const SHOWN_SECONDS = 28 * SECONDS_PER_DAY;
/** Milliseconds between two runs. */
const EVERY_MS = 6 * 3_600_000;
/** Rows deleted in one transaction. */
const BATCH = 500;

/**
 * Deletes, in batches, rows about notifications that are too old to be shown still. It covers all organizations at
 * once: they share the numbering of messages, so that the oldest come first.
 */
export async function prunePushed(context: Context): Promise<void> {
  for (let more = true; more; ) more = await pruneBatch(context);
}

/** Prunes periodically while the server runs. Several processes may do it at once. */
export function pruneRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) =>
    context.log.room('push').warn({ err: error }, 'old notifications could not be forgotten');
  return repeat(context.clock, () => prunePushed(context), { everyMs: EVERY_MS, failed });
}

/** Deletes one batch and returns whether more may be left. */
function pruneBatch(context: Context): Promise<boolean> {
  return context.store.write(async (tx) => {
    const oldest = await listOldestPushed(tx, BATCH);
    const firstShown = oldest.findIndex(({ sent_at }) => sent_at !== null && sent_at >= tx.now - SHOWN_SECONDS);
    const old = firstShown < 0 ? oldest : oldest.slice(0, firstShown);
    const last = old.at(-1);
    if (last) await deletePushedUpTo(tx, last);
    return old.length === BATCH;
  });
}
