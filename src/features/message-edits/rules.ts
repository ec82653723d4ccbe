/** Seconds after a time limit during which a change is still accepted. See protocol/editing#checks. */
const GRACE_SECONDS = 20;

/** Prefix of the name of a resolved topic. See protocol/editing#checks. */
export const RESOLVED_PREFIX = '✔ ';

/** Whether a change of a topic's name resolves or unresolves it; undefined for other changes. */
export function resolving(before: string, after: string): 'resolved' | 'unresolved' | undefined {
  if (after === RESOLVED_PREFIX + before) return 'resolved';
  if (before.startsWith(RESOLVED_PREFIX) && before.replace(/^[✔ ]+/u, '') === after) return 'unresolved';
  return undefined;
}

/** Whether a time limit, in seconds and null for none, forbids changing a message that was sent at `sentAt`. */
export function isTooOld(sentAt: number, limit: number | null, now: number): boolean {
  return limit !== null && now - sentAt > limit + GRACE_SECONDS;
}
