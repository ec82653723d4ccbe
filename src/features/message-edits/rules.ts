/** Seconds for which a change is still taken after its time limit has passed. See protocol/editing#checks. */
const GRACE_SECONDS = 20;

/** Stands before the name of a resolved topic. See protocol/editing#checks. */
export const RESOLVED_PREFIX = '✔ ';

/** What a change of a topic's name does to its being resolved; undefined for other changes. */
export function resolving(before: string, after: string): 'resolved' | 'unresolved' | undefined {
  if (after === RESOLVED_PREFIX + before) return 'resolved';
  if (before.startsWith(RESOLVED_PREFIX) && before.replace(/^[✔ ]+/u, '') === after) return 'unresolved';
  return undefined;
}

/** Whether a limit, in seconds and null for none, forbids changing what was sent at `sentAt`. */
export function isTooOld(sentAt: number, limit: number | null, now: number): boolean {
  return limit !== null && now - sentAt > limit + GRACE_SECONDS;
}
