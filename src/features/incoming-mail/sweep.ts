import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { deleteReceivedBefore } from './queries.ts';

/**
 * Seconds for which a mail's hash is stored, to recognize it if it comes again: mail servers retry for five days. RFC
 * 5321 §4.5.4.1.
 */
const KNOWN_SECONDS = 30 * SECONDS_PER_DAY;
const EVERY_MS = 6 * 3_600_000;

/** Deletes old hashes regularly. */
export function sweepReceived(context: Context): () => Promise<void> {
  const failed = (error: unknown) => context.log.room('mail').warn({ err: error }, 'old mails could not be forgotten');
  const sweep = () => context.store.write((tx) => deleteReceivedBefore(tx, tx.now - KNOWN_SECONDS));
  return repeat(context.clock, sweep, { everyMs: EVERY_MS, failed });
}
