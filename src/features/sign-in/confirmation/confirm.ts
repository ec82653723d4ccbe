import { confirmSession, type RealmRefReadTx, type ShownBy } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import type { Provider } from '#kernel/identity';
import { readRealm, settingsOf } from '#features/realms';
import type { UserRow } from '#features/users';
import { LDAP_ISSUER } from '../directory-password.ts';
import { AuthenticationFailed } from '../errors.ts';
import type { LogInRequest } from '../guessing.ts';
import { directoryOf, isMethodOn, providersOf } from '../methods.ts';
import { checkCode, hasTotp, listPasskeys } from '../factors/index.ts';
import { findPasswordHash, listIdentities } from '../queries.ts';
import { signIn } from '../sign-in.ts';

/**
 * The ways in which somebody can confirm who they are: with a password and a code as far as they are asked for, with a
 * passkey, or at a provider.
 */
export interface Ways {
  readonly asksPassword: boolean;
  readonly asksCode: boolean;
  /** Whether a passkey confirms it, on the page for that. */
  readonly hasPasskeys: boolean;
  readonly providers: readonly Provider[];
}

/** Returns the ways that an account has at present. See protocol/authentication#confirmation. */
export async function waysToConfirm(
  context: Pick<Context, 'identity' | 'server'>,
  tx: RealmRefReadTx,
  user: Pick<UserRow, 'id'>,
): Promise<Ways> {
  const settings = settingsOf(await readRealm(tx));
  const identities = await listIdentities(tx, user.id);
  const byDirectory =
    directoryOf(context, tx.realm, settings) !== undefined && identities.some(({ issuer }) => issuer === LDAP_ISSUER);
  const byPassword = isMethodOn(settings, 'Email') && (await findPasswordHash(tx, user.id)) !== undefined;
  const asksCode = await hasTotp(tx, user.id);
  const hasPasskeys = (await listPasskeys(tx, user.id)).length > 0;
  const connected = new Set(identities.map(({ provider }) => provider));
  const providers = providersOf(context, tx.realm, settings).filter(
    // A provider that does not replace the second factor at sign-in does not replace it here either.
    ({ id, second_factor }) => connected.has(id) && !((asksCode || hasPasskeys) && second_factor === true),
  );
  // The password alone is not enough for an account whose second factor is a passkey.
  const asksPassword = (byDirectory || byPassword) && (asksCode || !hasPasskeys);
  return { asksPassword, asksCode, hasPasskeys, providers };
}

/** What somebody typed to confirm who they are. */
export interface Shown {
  readonly password: string;
  readonly code: string;
}

/**
 * Whether the input proves that its sender owns the account: it must contain every factor of the account that can be
 * typed. Guesses count as at log-in; throws RATE_LIMIT_HIT.
 */
export async function isOwnerShown(request: LogInRequest, user: UserRow, { password, code }: Shown): Promise<boolean> {
  const { context, realm } = request;
  const { asksPassword, asksCode } = await context.store.in(realm).query((tx) => waysToConfirm(context, tx, user));
  if (!asksPassword && !asksCode) return false;
  if (asksPassword && !(await knowsPassword(request, user, password))) return false;
  return !asksCode || checkCode(request, user, code);
}

async function knowsPassword(request: LogInRequest, user: UserRow, password: string): Promise<boolean> {
  try {
    return (await signIn(request, { username: user.email, password })).id === user.id;
  } catch (error) {
    if (error instanceof ApiError && error.row === AuthenticationFailed.row) return false;
    throw error;
  }
}

/** Records that the owner of a session has confirmed who they are. */
export function confirm(
  { context, realm }: Omit<LogInRequest, 'address'>,
  user: Pick<UserRow, 'id'>,
  session: Extract<ShownBy, { kind: 'session' }>,
): Promise<void> {
  return context.store.in(realm).write((tx) => confirmSession(tx, user.id, session.id));
}
