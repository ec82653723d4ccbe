/** Seconds between the pings of a client. See protocol/presence#state. */
const PING_INTERVAL_SECONDS = 60;
/** Seconds after which somebody counts as offline: three pings and some grace. See protocol/presence#state. */
export const OFFLINE_SECONDS = 3 * PING_INTERVAL_SECONDS + 20;
/**
 * Seconds for which a record stays unchanged, so that simultaneous pings of several clients change it once. See
 * protocol/presence#state.
 */
const WRITE_GAP_SECONDS = 55;
/** Seconds by which being connected may be newer than being active while the older form still says "active". */
export const ACTIVE_OFFSET_SECONDS = 70;
/** Seconds without activity after which the next activity is announced to others. See protocol/presence#state. */
const NEWS_SECONDS = OFFLINE_SECONDS - PING_INTERVAL_SECONDS - 10;
/** Most active users of an organization that announces who comes online. See protocol/presence#invisible. */
export const MAX_ANNOUNCED_USERS = 100;
/** Days of presences that a client gets unless it asks for another number. See protocol/presence#invisible. */
export const HISTORY_DAYS = 14;
/**
 * Seconds by which the last connection of somebody who becomes invisible is moved back. See
 * protocol/presence#invisible.
 */
export const INVISIBLE_SECONDS = OFFLINE_SECONDS + 120;

/** Statuses that a client can report. */
export const STATUSES = ['active', 'idle'] as const;
export type Status = (typeof STATUSES)[number];

/** When somebody was last seen, in seconds since 1970. */
export interface Seen {
  readonly last_active_at: number | null;
  readonly last_connected_at: number;
}

/** A record after a ping. */
export interface Touched extends Seen {
  /** Whether others should be notified. */
  readonly isNews: boolean;
}

/** The record after a ping; undefined if it does not change. See protocol/presence#write, steps 3 to 5. */
export function touch(before: Seen | undefined, status: Status, now: number): Touched | undefined {
  const isActive = status === 'active';
  if (!before) return { last_active_at: isActive ? now : null, last_connected_at: now, isNews: true };
  const isOlder = (time: number | null, seconds: number) => time === null || now - time > seconds;
  const connects = isOlder(before.last_connected_at, WRITE_GAP_SECONDS);
  const activates = isActive && isOlder(before.last_active_at, WRITE_GAP_SECONDS);
  if (!connects && !activates) return undefined;
  return {
    last_active_at: activates ? now : before.last_active_at,
    last_connected_at: Math.max(before.last_connected_at, now),
    isNews: isActive && isOlder(before.last_active_at, NEWS_SECONDS),
  };
}
