import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { addToDay, countOfYoung } from './queries.ts';

/** Days for which new organizations share what one may send. See protocol/invitations#daily-limit. */
const YOUNG_DAYS = 7;

/**
 * Counts mails of a UTC day and says whether there were too many: for the organization, or for all young ones together. The
 * row stays locked until the commit, so two at once cannot both have the last; taking back undoes what was not sent.
 */
export async function exceedsDailyLimit(
  { server }: Pick<Context, 'server'>,
  tx: RealmWriteTx,
  mails: number,
): Promise<boolean> {
  const limit = server.maxInvitationsPerDay;
  if (limit === 0) return false;
  const day = dayOf(tx.now);
  if ((await addToDay(tx, day, mails)) > limit) return true;
  const young = await countOfYoung(tx, day, tx.now - YOUNG_DAYS * SECONDS_PER_DAY);
  return young !== undefined && young > limit;
}

/** Gives back what was counted and then not sent. */
export async function takeBack({ server }: Pick<Context, 'server'>, tx: RealmWriteTx, mails: number): Promise<void> {
  if (server.maxInvitationsPerDay > 0 && mails > 0) await addToDay(tx, dayOf(tx.now), -mails);
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / SECONDS_PER_DAY);
}
