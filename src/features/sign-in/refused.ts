import { record } from '#kernel/audit';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
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
 * field. The limits on guesses bound how many there are.
 */
export function recordRefused(
  { store, log }: Pick<Context, 'store' | 'log'>,
  realm: RealmRef,
  user: Pick<UserRow, 'id'> | undefined,
  reason: RefusedFor,
  details: { readonly provider?: string; readonly why?: string } = {},
): Promise<void> {
  noteRefused({ log }, reason, { ...details, ...(user && { user_id: user.id }) });
  const act = {
    action: 'session.refused',
    ...(user && { target: { kind: 'user', id: user.id } }),
    after: { reason, ...details },
  };
  return store.in(realm).write(async (tx) => record(tx, act, { kind: 'nobody', userId: null }));
}

/** Leaves a line in the log alone: of what anybody may send without end, which no limit counts. */
export function noteRefused(
  { log }: Pick<Context, 'log'>,
  reason: RefusedFor,
  details: { readonly provider?: string; readonly why?: string; readonly user_id?: number },
): void {
  log.room('sign-in').warn(details, `a sign-in was refused: ${reason}`);
}
