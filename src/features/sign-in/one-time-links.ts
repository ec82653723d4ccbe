import { SECONDS_PER_DAY } from '#kernel/clock';
import type { RealmId, UserId } from '#kernel/ids';
import { sha256 } from '#kernel/secretbox';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import {
  deleteOneTimeLink,
  deleteOneTimeLinks,
  deleteWaysBackAfter,
  findOneTimeLink,
  insertOneTimeLink,
  lastWayBackOf,
} from './queries.ts';
import type { OneTimeLinkRow } from './tables.ts';

/** Characters of a link's token. */
const TOKEN_LENGTH = 40;

/** The purpose of a link. */
interface Purpose {
  readonly realm_id: RealmId;
  readonly user_id: UserId | null;
  readonly purpose: OneTimeLinkRow['purpose'];
  /** The address that the link confirms. */
  readonly address?: string;
  /** Seconds that the link is valid. */
  readonly seconds: number;
}

/** Makes a link that works once, and returns its token, which is stored nowhere. */
export async function makeOneTimeLink(
  clock: { token(length: number): string },
  tx: RealmWriteTx,
  { seconds, ...purpose }: Purpose,
): Promise<string> {
  const token = clock.token(TOKEN_LENGTH);
  await insertOneTimeLink(tx, { address: null, ...purpose, token_hash: sha256(token), expires_at: tx.now + seconds });
  return token;
}

/**
 * Ends the links that could give somebody the account: for a new password and for a new address. Call it when the
 * password or address has changed in any way, and when the account ends. The link back to an old address stays valid
 * until it expires, because an attacker may have made the change.
 */
export function endRecovery(tx: RealmWriteTx, userId: UserId): Promise<void> {
  return deleteOneTimeLinks(tx, ['reset', 'email', 'sign-in'], userId);
}

/** Finds a link that is still valid, without using it up. */
export function peekOneTimeLink(
  tx: RealmReadTx,
  purpose: OneTimeLinkRow['purpose'],
  token: string,
): Promise<OneTimeLinkRow | undefined> {
  return findOneTimeLink(tx, purpose, sha256(token));
}

/** Uses a link up; of simultaneous calls exactly one gets it. */
export function takeOneTimeLink(
  tx: RealmWriteTx,
  purpose: OneTimeLinkRow['purpose'],
  token: string,
): Promise<OneTimeLinkRow | undefined> {
  return deleteOneTimeLink(tx, purpose, sha256(token));
}

/** Seconds during which the owner of an address can keep it or get it back: a day. */
const WAY_BACK_SECONDS = SECONDS_PER_DAY;

/**
 * Makes the link that keeps or restores an account's address. Each expires later than the ones before, so that their
 * order is known.
 */
export async function makeWayBack(
  clock: { token(length: number): string },
  tx: RealmWriteTx,
  user: { readonly id: UserId; readonly email: string },
): Promise<string> {
  const last = (await lastWayBackOf(tx, user.id)) ?? 0;
  const seconds = Math.max(WAY_BACK_SECONDS, last + 1 - tx.now);
  const purpose = { realm_id: tx.realmId, user_id: user.id, purpose: 'email-stop', address: user.email } as const;
  return makeOneTimeLink(clock, tx, { ...purpose, seconds });
}

/**
 * Uses up a link back to an address, and ends those that were made after it: they lead to addresses that somebody gave
 * an account that was not theirs. Earlier ones stay, so that an attacker cannot take the way back from the owner.
 */
export async function takeWayBack(tx: RealmWriteTx, token: string): Promise<OneTimeLinkRow | undefined> {
  const link = await takeOneTimeLink(tx, 'email-stop', token);
  if (link?.user_id) await deleteWaysBackAfter(tx, link.user_id, link.expires_at);
  return link;
}

/** Ends all links back to former addresses, because an administrator has decided which address is right. */
export function endWaysBack(tx: RealmWriteTx, userId: UserId): Promise<void> {
  return deleteOneTimeLinks(tx, ['email-stop'], userId);
}
