import type { Context } from '#kernel/context';
import type { Store } from '#kernel/store';
import { endsOf } from '#features/messages';
import { listRealms } from '#features/realms';

/** Seconds by which a message may be newer than now; more means that a clock is wrong. */
const TOLERANCE_SECONDS = 5;

/** Returns the time of the newest message if it is in the future; undefined otherwise. */
export async function sentInFuture(store: Store, now: number): Promise<number | undefined> {
  const realms = await store.query((tx) => listRealms(tx));
  const ends = await Promise.all(realms.map(({ id }) => store.of(id).query((tx) => endsOf(tx, 'sent_at'))));
  const newest = Math.max(0, ...ends.map(({ highest }) => highest ?? 0));
  return newest > now + TOLERANCE_SECONDS ? newest : undefined;
}

/** Logs a warning if the newest message is in the future, for databases without a clock to compare with. */
export async function warnOfClock({ store, clock, log }: Context): Promise<void> {
  const newest = await sentInFuture(store, clock.now());
  const sent_at = newest && new Date(newest * 1000).toISOString();
  if (sent_at) log.warn({ sent_at }, "the newest message is of a later time than now: this machine's clock is wrong");
}
