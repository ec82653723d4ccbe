import type { MessageRow } from '#features/messages';
import type { Pending } from '#features/push-devices';
import type { Context } from '#kernel/context';
import type { UserId } from '#kernel/ids';
import { pushedAmong } from './queries.ts';

/** Milliseconds during which a read result is reused. */
const FRESH_MS = 100;

/**
 * Returns a function that tells who still needs to be notified of a message: it was neither read nor deleted. It is
 * called right before each person's request, because people who come after a slow request may have read the message by
 * then.
 */
export function pendingAmong(context: Context, message: MessageRow, ids: readonly UserId[]): Pending {
  let known: Promise<ReadonlySet<UserId>> | undefined;
  let readAtMs = 0;
  return () => {
    const now = context.clock.monotonicMs();
    if (known && now - readAtMs < FRESH_MS) return known;
    readAtMs = now;
    known = context.store.query((tx) => pushedAmong(tx, message, ids));
    return known;
  };
}
