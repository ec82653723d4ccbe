import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { deletePushedUpTo, listOldestPushed } from './queries.ts';

/** Seconds after which no phone shows a notification any more; FCM keeps what it could not deliver for four weeks. */
const SHOWN_SECONDS = 28 * SECONDS_PER_DAY;
/** Milliseconds between two looks. */
const EVERY_MS = 6 * 3_600_000;
/** Rows forgotten in one transaction. */
const BATCH = 500;

/**
 * Forgets which messages stand on phones when that is so long ago that they no longer do, a few at a time. Of all
 * organizations at once: their messages are numbered together, so that the oldest come first.
 */
export async function prunePushed(context: Context): Promise<void> {
  for (let more = true; more; ) more = await pruneBatch(context);
}

/** Prunes now and then while the server runs. Several processes may do it at once. */
export function pruneRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) =>
    context.log.room('push').warn({ err: error }, 'old notifications could not be forgotten');
  return repeat(context.clock, () => prunePushed(context), { everyMs: EVERY_MS, failed });
}

/** Whether there may be more. */
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
