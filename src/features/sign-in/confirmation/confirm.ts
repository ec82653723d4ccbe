import { confirmSession, type RealmRef, type RealmRefReadTx, type ShownBy } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import type { Provider } from '#kernel/identity';
import { readRealm, settingsOf } from '#features/realms';
import type { UserRow } from '#features/users';
import { LDAP_ISSUER } from '../directory-password.ts';
import { AuthenticationFailed } from '../errors.ts';
import { directoryOf, isMethodOn, providersOf } from '../methods.ts';
import { checkCode, hasTotp, listPasskeys } from '../factors/index.ts';
import { findPasswordHash, listIdentities } from '../queries.ts';
import { signIn } from '../sign-in.ts';

/** How somebody can show again who they are: by all that is asked, or at a provider. */
export interface Ways {
  readonly asksPassword: boolean;
  readonly asksCode: boolean;
  /** Whether a passkey does, on the page for it. */
  readonly hasPasskeys: boolean;
  readonly providers: readonly Provider[];
}

/** The ways that an account has now. See protocol/authentication#confirmation. */
export async function waysToConfirm(
  context: Pick<Context, 'identity' | 'server' | 'realmUrl'>,
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
    // A provider that does not stand for both factors does not do so here either.
    ({ id, second_factor }) => connected.has(id) && !((asksCode || hasPasskeys) && second_factor === true),
  );
  // The password alone is not enough for an account whose second factor is a passkey.
  const asksPassword = (byDirectory || byPassword) && (asksCode || !hasPasskeys);
  return { asksPassword, asksCode, hasPasskeys, providers };
}

/** What somebody typed to show who they are, and from where. */
export interface Shown {
  readonly password: string;
  readonly code: string;
  readonly address: string;
}

/**
 * Whether this shows that its sender is the owner of the account: everything that the account has and that can be typed.
 * Guesses count as they do when logging in; throws RATE_LIMIT_HIT.
 */
export async function isOwnerShown(
  context: Context,
  realm: RealmRef,
  user: UserRow,
  { password, code, address }: Shown,
): Promise<boolean> {
  const { asksPassword, asksCode } = await context.store.in(realm).query((tx) => waysToConfirm(context, tx, user));
  if (!asksPassword && !asksCode) return false;
  if (asksPassword && !(await knowsPassword(context, realm, user, password, address))) return false;
  return !asksCode || checkCode(context, realm, user, code, address);
}

async function knowsPassword(
  context: Context,
  realm: RealmRef,
  user: UserRow,
  password: string,
  address: string,
): Promise<boolean> {
  try {
    return (await signIn(context, realm, user.email, password, address)).id === user.id;
  } catch (error) {
    if (error instanceof ApiError && error.row === AuthenticationFailed.row) return false;
    throw error;
  }
}

/** Writes down that the owner of a session has shown who they are. */
export function confirm(
  { store }: Context,
  realm: RealmRef,
  user: Pick<UserRow, 'id'>,
  session: Extract<ShownBy, { kind: 'session' }>,
): Promise<void> {
  return store.in(realm).write((tx) => confirmSession(tx, user.id, session.id));
}
