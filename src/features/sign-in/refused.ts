import { record } from '#kernel/audit';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import type { RateLimits } from '#kernel/limits';
import type { UserRow } from '#features/users';

/** Why somebody did not get in. */
export type RefusedFor =
  | 'password'
  | 'second factor'
  | 'unknown name'
  | 'passkey'
  | 'provider'
  | 'proxy'
  | 'signed token';

/**
 * Leaves in the log and in the audit log that somebody was not let in. Never what was typed: people type passwords into the wrong
 * field. How many there are is bounded by the limits on guesses for an account; of those that are for nobody's the audit log
 * keeps some hundreds an hour, and the log one line a minute with their number.
 */
export async function recordRefused(
  { store, log, limits }: Pick<Context, 'store' | 'log' | 'limits'>,
  realm: RealmRef,
  user: Pick<UserRow, 'id'> | undefined,
  reason: RefusedFor,
  details: { readonly provider?: string; readonly why?: string } = {},
): Promise<void> {
  noteRefused({ log }, reason, { ...details, ...(user && { user_id: user.id }) });
  if (!user && !(await hasRoom(limits, `${realm.id} ${reason}`))) return;
  const act = {
    action: 'session.refused',
    ...(user && { target: { kind: 'user', id: user.id } }),
    after: { reason, ...details },
  };
  await store.in(realm).write(async (tx) => record(tx, act, { kind: 'nobody', userId: null }));
}

async function hasRoom(limits: RateLimits, key: string): Promise<boolean> {
  try {
    await limits.take('refused-entries', key);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Leaves a line in the log alone: of what anybody may send without end, which no limit counts. */
export function noteRefused(
  { log }: Pick<Context, 'log'>,
  reason: RefusedFor,
  details: { readonly provider?: string; readonly why?: string; readonly user_id?: number },
): void {
  log.room('sign-in').warn(details, `a sign-in was refused: ${reason}`);
}
