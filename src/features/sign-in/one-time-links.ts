import { createHash } from 'node:crypto';
import type { RealmId, UserId } from '#kernel/ids';
import type { ReadTx, WriteTx } from '#kernel/store';
import { deleteOneTimeLink, deleteOneTimeLinks, findOneTimeLink, insertOneTimeLink } from './queries.ts';
import type { OneTimeLinkRow } from './tables.ts';

/** Characters of a link's token. */
const TOKEN_LENGTH = 40;

/** What a link is for. */
interface Purpose {
  readonly realm_id: RealmId;
  readonly user_id: UserId | null;
  readonly purpose: OneTimeLinkRow['purpose'];
  /** The address that it confirms. */
  readonly address?: string;
  /** Seconds that it is good for. */
  readonly seconds: number;
}

/** Makes a link that works once, and returns its token, which is stored nowhere. */
export async function makeOneTimeLink(
  clock: { token(length: number): string },
  tx: WriteTx,
  { seconds, ...purpose }: Purpose,
): Promise<string> {
  const token = clock.token(TOKEN_LENGTH);
  await insertOneTimeLink(tx, { address: null, ...purpose, token_hash: hashOf(token), expires_at: tx.now + seconds });
  return token;
}

/**
 * Ends the links that could give somebody an account: to a new password and to a new address. Due when its password or
 * address has changed by any way, and when the account ends. The way back to an old address stays open until it expires,
 * because whoever took the account over may have made the change.
 */
export function endRecovery(tx: WriteTx, realmId: RealmId, userId: UserId): Promise<void> {
  return deleteOneTimeLinks(tx, ['reset', 'email', 'sign-in'], realmId, userId);
}

/** A link that still works. */
export function peekOneTimeLink(
  tx: ReadTx,
  purpose: OneTimeLinkRow['purpose'],
  realmId: RealmId,
  token: string,
): Promise<OneTimeLinkRow | undefined> {
  return findOneTimeLink(tx, purpose, realmId, hashOf(token));
}

/** Uses a link up: of any number at once exactly one gets it. */
export function takeOneTimeLink(
  tx: WriteTx,
  purpose: OneTimeLinkRow['purpose'],
  realmId: RealmId,
  token: string,
): Promise<OneTimeLinkRow | undefined> {
  return deleteOneTimeLink(tx, purpose, realmId, hashOf(token));
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
