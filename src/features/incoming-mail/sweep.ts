import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { deleteReceivedBefore } from './queries.ts';

/** Seconds for which a mail is known again: mail servers try for five days. RFC 5321 §4.5.4.1. */
const KNOWN_SECONDS = 30 * SECONDS_PER_DAY;
const EVERY_MS = 6 * 3_600_000;

/** Forgets old mails now and then. */
export function sweepReceived(context: Context): () => Promise<void> {
  const failed = (error: unknown) => context.log.room('mail').warn({ err: error }, 'old mails could not be forgotten');
  const sweep = () => context.store.write((tx) => deleteReceivedBefore(tx, tx.now - KNOWN_SECONDS));
  return repeat(context.clock, sweep, { everyMs: EVERY_MS, failed });
}
