import { SECONDS_PER_DAY } from '#kernel/clock';
import type { ChannelId, UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { recentlyActive, subscribersOf } from './queries.ts';

/** From this number of subscribers on, a partial list may leave people out. See protocol/register#parameters. */
const FULL_LIST_BELOW = 250;
/** Two weeks, and the day for which a sign of life may stay unwritten. See protocol/register#parameters. */
const RECENT_SECONDS = 15 * SECONDS_PER_DAY;

/** Who is subscribed to channels, ascending; and, for partial lists, who has been there lately. */
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

/** Who is in partial lists in any case. */
export function readRecent(tx: RealmReadTx): Promise<ReadonlySet<UserId>> {
  return recentlyActive(tx, tx.now - RECENT_SECONDS);
}

/** The list of one channel, whole or in part, as clients get it; nothing where they get none. */
export type ShownSubscribers = { subscribers?: UserId[]; partial_subscribers?: UserId[] };

/**
 * What is shown of a list. The viewer is in it in any case; undefined for nobody in particular.
 * See protocol/register#parameters.
 */
export function shownSubscribers(
  subscribers: readonly UserId[],
  recent: ReadonlySet<UserId> | undefined,
  viewer: UserId | undefined,
): ShownSubscribers {
  if (!recent || subscribers.length < FULL_LIST_BELOW) return { subscribers: [...subscribers] };
  return { partial_subscribers: subscribers.filter((id) => recent.has(id) || id === viewer) };
}
