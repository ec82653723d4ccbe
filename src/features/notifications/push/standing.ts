import type { MessageRow } from '#features/messages';
import type { Standing } from '#features/push-devices';
import type { Context } from '#kernel/context';
import type { UserId } from '#kernel/ids';
import { pushedAmong } from './queries.ts';

/** Milliseconds for which it is believed who is still to be shown a message. */
const FRESH_MS = 100;

/**
 * Who of the people is still to be shown a message: it was neither read nor deleted. Asked right before each of them is told,
 * since a push service that is slow keeps those waiting who come after.
 */
export function standingOf(context: Context, message: MessageRow, ids: readonly UserId[]): Standing {
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
