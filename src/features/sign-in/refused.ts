import { record } from '#kernel/audit';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import type { RateLimits } from '#kernel/limits';
import type { UserRow } from '#features/users';
import type { LogInRequest } from './guessing.ts';
import { spend } from './identities.ts';

/** Reasons why somebody was not let in. */
export type RefusedFor =
  | 'password'
  | 'second factor'
  | 'unknown name'
  | 'passkey'
  | 'provider'
  | 'proxy'
  | 'signed token';

/** The account, if it is known, and details of the reason. */
interface Refused {
  readonly user?: Pick<UserRow, 'id'> | undefined;
  readonly provider?: string;
  readonly why?: string;
}

/**
 * Records in the log and in the audit log that somebody was not let in. Never records what was typed: people type
 * passwords into the wrong field. The limits on guesses bound the number of entries about an account; of attempts
 * without an account the audit log keeps some hundreds an hour, and the log one line a minute with their number.
 */
export async function recordRefused(
  { context: { store, log, limits }, realm }: Omit<LogInRequest, 'address'>,
  reason: RefusedFor,
  { user, ...details }: Refused = {},
): Promise<void> {
  noteRefused({ log }, reason, { ...details, ...(user && { user_id: user.id }) });
  const isKept = (await hasRoom(limits, `${realm.id} ${reason}`)) || user !== undefined;
  const act = {
    action: 'session.refused',
    ...(user && { target: { kind: 'user', id: user.id } }),
    after: { reason, ...details },
  };
  await store.in(realm).write(async (tx) => {
    if (isKept) record(tx, act, { kind: 'nobody', userId: null });
    // Something is written all the same, and over at once: else an answer would come sooner where there is no account.
    else await spend(tx, 'no entry', 0);
  });
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

/** Records a refusal in the log only, because no limit counts these requests and anybody may send them without end. */
export function noteRefused(
  { log }: Pick<Context, 'log'>,
  reason: RefusedFor,
  details: { readonly provider?: string; readonly why?: string; readonly user_id?: number },
): void {
  log.room('sign-in').warn(details, `a sign-in was refused: ${reason}`);
}
