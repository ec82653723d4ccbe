/** Days of messages that the figure is made of. See protocol/channels#activity. */
export const TRAFFIC_DAYS = 28;
/** Age in days from which a channel has a figure. See protocol/channels#activity. */
const MIN_AGE_DAYS = 7;
/** Days without a message after which a channel no longer counts as active. See protocol/channels#activity. */
const ACTIVE_DAYS = 180;

/** Messages a week of a channel of this age, for the messages of its last 28 days. See protocol/channels#activity. */
export function weeklyTraffic(messages: number, ageDays: number): number | null {
  if (ageDays < MIN_AGE_DAYS) return null;
  const average = Math.floor(ageDays >= TRAFFIC_DAYS ? messages / 4 : (messages * 7) / ageDays);
  return twoDigits(messages > 0 ? Math.max(1, average) : average);
}

/** Whether a channel with its newest message at that time counts as active. */
export function isRecentlyActive(lastMessageAt: number, now: number): boolean {
  return now - lastMessageAt < ACTIVE_DAYS * SECONDS_PER_DAY;
}

/** Whole days between two times in seconds. */
export function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / SECONDS_PER_DAY);
}

/** Rounded to its two first digits. */
function twoDigits(value: number): number {
  const unit = 10 ** Math.max(0, String(value).length - 2);
  return Math.round(value / unit) * unit;
}
import { SECONDS_PER_DAY } from '#kernel/clock';
