import { changeRole } from '#features/accounts';
import { joinVerified, revokeAbove } from '#features/invitations';
import { readRealm } from '#features/realms';
import {
  type ExternalPerson,
  findIdentity,
  insertIdentity,
  isExternalPerson,
  spend,
  touchIdentity,
} from '#features/sign-in';
import { findUser, findUserByEmail, nameRefusal, type UserRow } from '#features/users';
import type { RealmRef, RealmRefWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { MAPPED_ROLES, type MappedRole } from '#kernel/identity';
import type { Context } from '#kernel/context';
import { isMailAddress } from '#kernel/mail';
import { isOwner, Role } from '#kernel/permissions';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { Vouched } from './vouched.ts';

/** Reasons why somebody whom a provider vouches for is not let in. */
export type Refusal =
  | 'spent'
  | 'deactivated'
  | 'organization-deactivated'
  | 'unverified'
  | 'no-address'
  | 'not-a-person'
  | 'not-invited'
  | 'no-sign-up'
  | 'connected-elsewhere'
  | { readonly fault: string };

/** A sign-in whose account is to be found. */
export interface Arrival {
  /** ID of the provider in the operator's configuration. */
  readonly provider: string;
  /** IDs of providers of other kinds, whose subjects are other people even if they have the same issuer. */
  readonly ofOtherKinds?: readonly string[];
  readonly vouched: Vouched;
  /** Account to connect; its owner is signed in. */
  readonly connect?: UserId | undefined;
  /** Whether an account may be created for somebody who has none. */
  readonly signsUp: boolean;
  readonly roles?: Readonly<Partial<Record<MappedRole, readonly string[] | undefined>>> | undefined;
  /** A token that works once, and the seconds that it is valid. */
  readonly once: { readonly token: string; readonly seconds: number };
}

/**
 * Finds the account of somebody whom a provider vouches for: the account that is connected to them, else the account of
 * their verified address, else a new one if the organization's rules allow it. See protocol/authentication#joining.
 */
export function accountOf(
  context: Context,
  realm: RealmRef,
  arrival: Arrival,
): Promise<{ user: UserRow } | { refusal: Refusal }> {
  const { once } = arrival;
  return context.store.in(realm).write(async (tx) => {
    // With two simultaneous sign-ins of a new person, the second finds the account that the first created.
    await lockLog(tx);
    if (!(await spend(tx, once.token, once.seconds))) return { refusal: 'spent' };
    return accountWithin(tx, arrival);
  });
}

/** Finds the account inside a transaction that has locked the log, for sign-ins that cannot be replayed. */
export async function accountWithin(
  tx: RealmRefWriteTx,
  arrival: Omit<Arrival, 'once'>,
): Promise<{ user: UserRow } | { refusal: Refusal }> {
  if ((await readRealm(tx)).is_deactivated) return { refusal: 'organization-deactivated' };
  if (!isExternalPerson(arrival.vouched)) return { refusal: 'not-a-person' };
  const found = await findAccount(tx, arrival);
  if ('refusal' in found) return found;
  await applyRole(tx, found.user, arrival);
  return { user: (await findUser(tx, found.user.id)) ?? found.user };
}

type Found = { readonly user: UserRow } | { readonly refusal: Refusal };

async function findAccount(tx: RealmRefWriteTx, arrival: Omit<Arrival, 'once'>): Promise<Found> {
  const { vouched, connect, ofOtherKinds = [] } = arrival;
  const known = await findIdentity(tx, vouched);
  if (known) {
    if (ofOtherKinds.includes(known.provider)) return { refusal: 'connected-elsewhere' };
    if (connect !== undefined && known.user_id !== connect) return { refusal: 'connected-elsewhere' };
    await touchIdentity(tx, known.id);
    return usable(await findUser(tx, known.user_id));
  }
  const found = connect === undefined ? await byAddress(tx, arrival) : usable(await findUser(tx, connect));
  if ('user' in found) await link(tx, found.user, arrival.provider, vouched);
  return found;
}

function usable(user: UserRow | undefined): Found {
  if (!user || user.is_bot) return { refusal: 'not-a-person' };
  return user.is_active ? { user } : { refusal: 'deactivated' };
}

/**
 * Finds or creates an account by address, if the provider has verified it: otherwise anybody who claims an address
 * would get its owner's account.
 */
async function byAddress(
  tx: RealmRefWriteTx,
  { vouched, signsUp }: Pick<Arrival, 'vouched' | 'signsUp'>,
): Promise<Found> {
  const { email, isVerified } = vouched;
  if (email === undefined || !isMailAddress(email)) return { refusal: 'no-address' };
  if (!isVerified) return { refusal: 'unverified' };
  const holder = await findUserByEmail(tx, email);
  if (holder) return usable(holder);
  if (!signsUp) return { refusal: 'no-sign-up' };
  const full_name = await usableName(tx, vouched.name, email);
  const joined = await joinVerified(tx, { email, full_name });
  if ('user' in joined) return joined;
  return { refusal: 'fault' in joined ? joined : 'not-invited' };
}

async function link(
  tx: RealmWriteTx,
  user: UserRow,
  provider: string,
  { issuer, subject }: ExternalPerson,
): Promise<void> {
  await insertIdentity(tx, { realm_id: tx.realmId, user_id: user.id, provider, issuer, subject });
}

/** Most numbers that are tried after a name that is taken. */
const MAX_NUMBERS = 20;

/**
 * The provider's name for the person if it is allowed here, else the local part of the address; with a number if it is
 * taken.
 */
async function usableName(tx: RealmReadTx, name: string | undefined, email: string): Promise<string> {
  const words = (name ?? '').trim().slice(0, 90);
  const local = email.slice(0, email.indexOf('@')).slice(0, 90);
  const candidates = [words, local, `${local} (new)`].filter((one) => one !== '');
  for (const base of candidates)
    for (let number = 1; number <= MAX_NUMBERS; number++) {
      const candidate = number === 1 ? base : `${base} ${number}`;
      const fault = await nameRefusal(tx, candidate);
      if (fault === undefined) return candidate;
      if (!fault.startsWith('Unique')) break;
    }
  return `${local} (new)`;
}

/** Gives the role that the provider's groups map to. Only people make and unmake owners. */
async function applyRole(
  tx: RealmRefWriteTx,
  user: UserRow,
  { vouched, roles }: Pick<Arrival, 'vouched' | 'roles'>,
): Promise<void> {
  if (!roles || !vouched.groups || isOwner(user)) return;
  const groups = new Set(vouched.groups);
  const wanted = MAPPED_ROLES.find((role) => roles[role]?.some((group) => groups.has(group)));
  if (wanted === undefined || Role[wanted] === user.role) return;
  await changeRole(tx, user, Role[wanted]);
  await revokeAbove(tx, user.id, Role[wanted]);
}
