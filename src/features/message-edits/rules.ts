import type { StoredEdit } from '#features/messages';

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

/** Most characters of all earlier versions of a message together: they are read with it. */
const MAX_HISTORY = 1_000_000;

/** Whether a message has so many earlier versions that there may be no further one. */
export function isHistoryFull(edits: readonly StoredEdit[]): boolean {
  const length = edits.reduce(
    (sum, { prev_content = '', prev_rendered_content }) =>
      sum + prev_content.length + (prev_rendered_content?.length ?? 0),
    0,
  );
  return length > MAX_HISTORY;
}
