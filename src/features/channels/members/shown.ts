import { SECONDS_PER_DAY } from '#kernel/clock';
import type { ChannelId, UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { recentlyActive, subscribersOf } from './queries.ts';

/** From this number of subscribers on, a partial list may leave people out. See protocol/register#parameters. */
const FULL_LIST_BELOW = 250;
/** Two weeks, plus the day by which a stored time of activity may be late. See protocol/register#parameters. */
const RECENT_SECONDS = 15 * SECONDS_PER_DAY;

/** Subscribers of channels, ascending; for partial lists also the users who were active recently. */
export interface Subscribers {
  readonly lists: ReadonlyMap<ChannelId, readonly UserId[]>;
  readonly recent: ReadonlySet<UserId> | undefined;
}

export async function readSubscribers(
  tx: RealmReadTx,
  channelIds: readonly ChannelId[],
  wanted: 'true' | 'partial',
): Promise<Subscribers> {
  const lists = await subscribersOf(tx, channelIds);
  const recent = wanted === 'partial' ? await readRecent(tx) : undefined;
  return { lists, recent };
}

/** Reads the users who are in every partial list. */
export function readRecent(tx: RealmReadTx): Promise<ReadonlySet<UserId>> {
  return recentlyActive(tx, tx.now - RECENT_SECONDS);
}

/** The list of one channel, whole or in part, as clients get it; nothing where they get none. */
export type ShownSubscribers = { subscribers?: UserId[]; partial_subscribers?: UserId[] };

/**
 * Returns the subscribers that a list contains; it never leaves the viewer out. `viewer` is undefined for texts that
 * all viewers share. See protocol/register#parameters.
 */
export function shownSubscribers(
  subscribers: readonly UserId[],
  recent: ReadonlySet<UserId> | undefined,
  viewer: UserId | undefined,
): ShownSubscribers {
  if (!recent || subscribers.length < FULL_LIST_BELOW) return { subscribers: [...subscribers] };
  return { partial_subscribers: subscribers.filter((id) => recent.has(id) || id === viewer) };
}
