import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { addToDay, countOfYoung } from './queries.ts';

/**
 * Days for which an organization counts as new; new ones share the daily limit. See protocol/invitations#daily-limit.
 */
const YOUNG_DAYS = 7;

/**
 * Adds mails to the count of the UTC day; returns whether the limit is exceeded, for the organization or for all new
 * ones together. The row stays locked until the commit, so concurrent requests cannot exceed it; a rollback undoes the
 * count.
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

/** Subtracts mails that were counted and then not sent. */
export async function takeBack({ server }: Pick<Context, 'server'>, tx: RealmWriteTx, mails: number): Promise<void> {
  if (server.maxInvitationsPerDay > 0 && mails > 0) await addToDay(tx, dayOf(tx.now), -mails);
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / SECONDS_PER_DAY);
}
