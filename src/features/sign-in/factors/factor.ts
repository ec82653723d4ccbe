import { createHmac } from 'node:crypto';
import type { RealmRefWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { RealmRequest } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { networkOf } from '#kernel/limits';
import { isOwner } from '#kernel/permissions';
import { firstFault, str } from '#kernel/schema';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { queueMail, queueMails } from '#features/mails';
import { listUsers, type UserRow } from '#features/users';
import { deletePasskeys, listPasskeys } from './passkeys/queries.ts';
import type { LogInRequest } from '../guessing.ts';
import { recordRefused } from '../refused.ts';
import { seal, unseal } from '../sealed.ts';
import {
  deleteRecoveryCode,
  deleteSecondFactor,
  findSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
  takeStep,
} from './queries.ts';
import { stepOfCode } from './totp.ts';

/** Number of recovery codes of an account, and the number of letters and digits of each. */
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 12;
const PURPOSE = 'second-factor';

/** Whether an account has a second factor: codes of an authenticator app, or a passkey. */
export async function hasSecondFactor(tx: RealmReadTx, userId: UserId): Promise<boolean> {
  return (await hasTotp(tx, userId)) || (await listPasskeys(tx, userId)).length > 0;
}

/** Whether an account has codes of an authenticator app. */
export async function hasTotp(tx: RealmReadTx, userId: UserId): Promise<boolean> {
  return (await findSecondFactor(tx, userId)) !== undefined;
}

/**
 * Checks a code of an account's authenticator app or a recovery code, and uses it up. The attempt is counted before the
 * code is checked: at most five wrong codes per account in half an hour, from any network; throws RATE_LIMIT_HIT. See
 * protocol/authentication#second-factor.
 */
export async function checkCode(request: LogInRequest, user: UserRow, sent: string): Promise<boolean> {
  const { context, realm, address } = request;
  const { limits, store, clock } = context;
  const [account, network] = [String(user.id), networkOf(address)];
  await limits.take('second-factor', account);
  await limits.take('failed-login-address', network);
  const code = sent.replaceAll(/[\s-]/g, '');
  const row = await store.in(realm).query((tx) => findSecondFactor(tx, user.id));
  const secret = row && (await secretOf(context, row.sealed_secret));
  const step = secret === undefined ? undefined : await stepOfCode(secret, code, clock.nowMs());
  const isRight = await store.in(realm).write(async (tx) => {
    if (step !== undefined) return takeStep(tx, user.id, step);
    if (code.length !== RECOVERY_LENGTH) return false;
    if (!(await deleteRecoveryCode(tx, user.id, hashOf(context, user.id, code)))) return false;
    await tell(tx, user, 'A recovery code was used to log in to your account.');
    return true;
  });
  if (!isRight) {
    await recordRefused(request, 'second factor', { user });
    return false;
  }
  await limits.forgive('second-factor', account);
  await limits.giveBack('failed-login-address', network);
  return true;
}

/** Turns codes on if the app shows the right one, and returns the recovery codes, which are shown only once. */
export async function addSecondFactor(
  { context, realm }: RealmRequest,
  user: UserRow,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<readonly string[] | undefined> {
  const { store, clock } = context;
  await context.limits.take('second-factor', String(user.id));
  const step = await stepOfCode(secret, code.replaceAll(/\s/g, ''), clock.nowMs());
  if (step === undefined) return undefined;
  const sealed_secret = await seal(context, PURPOSE, secret);
  const codes = newCodes(context);
  const isMade = await store.in(realm).write(async (tx) => {
    const row = { user_id: user.id, realm_id: realm.id, sealed_secret, last_step: step, confirmed_at: tx.now };
    if (!(await insertSecondFactor(tx, row))) return false;
    await storeCodes(context, tx, user.id, codes);
    await tell(tx, user, 'Logging in to your account now requires a code from your authenticator app.');
    return true;
  });
  await context.limits.forgive('second-factor', String(user.id));
  return isMade ? codes : undefined;
}

/** Gives an account new recovery codes; the old ones become invalid. */
export async function renewRecoveryCodes({ context, realm }: RealmRequest, userId: UserId): Promise<readonly string[]> {
  return context.store.in(realm).write((tx) => newRecoveryCodes(context, tx, userId));
}

/** Turns codes off and notifies their owner. Returns false when there was nothing to turn off. */
export function removeSecondFactor({ context, realm }: RealmRequest, user: UserRow): Promise<boolean> {
  return context.store.in(realm).write(async (tx) => {
    if (!(await deleteSecondFactor(tx, user.id))) return false;
    await endRecoveryCodesIfLast(tx, user.id);
    await tell(tx, user, 'Logging in to your account no longer requires a code.');
    return true;
  });
}

/** Deletes an account's recovery codes if it has no second factor left that they could replace. */
export async function endRecoveryCodesIfLast(tx: RealmWriteTx, userId: UserId): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) await replaceRecoveryCodes(tx, userId, []);
}

/** Deletes codes, passkeys and recovery codes; returns false when there were none. */
async function endFactors(tx: RealmRefWriteTx, user: UserRow): Promise<boolean> {
  const hadCodes = await deleteSecondFactor(tx, user.id);
  const ended = await deletePasskeys(tx, user.id, 'all');
  if (!hadCodes && ended.length === 0) return false;
  await endRecoveryCodesIfLast(tx, user.id);
  await tell(tx, user, 'Logging in to your account no longer requires a code, and its passkeys were removed.');
  return true;
}

/**
 * Turns off codes and passkeys of somebody who has lost them and the recovery codes. Notifies the account's owner and,
 * by mail, all owners of the organization, so that somebody who took over an administrator's account is noticed.
 * Returns false when there was nothing to turn off. See protocol/authentication#second-factor.
 */
export async function recoverSecondFactor(tx: RealmRefWriteTx, user: UserRow, by: string): Promise<boolean> {
  if (!(await endFactors(tx, user))) return false;
  const owners = (await listUsers(tx)).filter((one) => isOwner(one) && one.is_active && !one.is_bot);
  const mails = owners
    .filter(({ id }) => id !== user.id)
    .map(({ full_name: name, email: address }) => ({
      to: { name, address },
      subject: `A second factor was turned off at ${tx.realm.name}`,
      text: `${by} turned off the second factor of ${user.full_name} (${user.email}), so that they get in with their password alone.\n\nIf nobody asked for that, look into the accounts of both.`,
    }));
  await queueMails(tx, mails);
  return true;
}

async function secretOf(context: Context, sealed: string): Promise<string | undefined> {
  const read = firstFault(str(), 'secret', await unseal(context, PURPOSE, sealed));
  return 'value' in read ? read.value : undefined;
}

/** Makes recovery codes along with an account's first second factor; old ones become invalid. */
export async function newRecoveryCodes(context: Context, tx: RealmWriteTx, userId: UserId): Promise<readonly string[]> {
  const codes = newCodes(context);
  await storeCodes(context, tx, userId, codes);
  return codes;
}

function newCodes({ clock }: Pick<Context, 'clock'>): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => clock.token(RECOVERY_LENGTH));
}

function storeCodes(context: Context, tx: RealmWriteTx, userId: UserId, codes: readonly string[]): Promise<void> {
  const hashes = codes.map((code) => hashOf(context, userId, code));
  return replaceRecoveryCodes(tx, userId, hashes);
}

/**
 * The stored hash of a recovery code, keyed with the server's secret, so that nobody can try codes against it without
 * the secret.
 */
function hashOf({ server }: Pick<Context, 'server'>, userId: UserId, code: string): string {
  return createHmac('sha256', server.secret).update(`recovery-code:${userId}:${code}`).digest('hex');
}

/** Mails somebody what was changed about their account. */
export async function tell(tx: RealmRefWriteTx, user: UserRow, what: string): Promise<void> {
  await queueMail(tx, {
    to: { name: user.full_name, address: user.email },
    subject: `Your account at ${tx.realm.name}`,
    text: `${what}\n\nIf it was not you, tell an administrator of ${tx.realm.name}, and choose a new password.`,
  });
}
