import { createHash } from 'node:crypto';
import type { RealmId, UserId } from '#kernel/ids';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
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
  tx: RealmWriteTx,
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
export function endRecovery(tx: RealmWriteTx, userId: UserId): Promise<void> {
  return deleteOneTimeLinks(tx, ['reset', 'email', 'sign-in'], userId);
}

/** A link that still works. */
export function peekOneTimeLink(
  tx: RealmReadTx,
  purpose: OneTimeLinkRow['purpose'],
  token: string,
): Promise<OneTimeLinkRow | undefined> {
  return findOneTimeLink(tx, purpose, hashOf(token));
}

/** Uses a link up: of any number at once exactly one gets it. */
export function takeOneTimeLink(
  tx: RealmWriteTx,
  purpose: OneTimeLinkRow['purpose'],
  token: string,
): Promise<OneTimeLinkRow | undefined> {
  return deleteOneTimeLink(tx, purpose, hashOf(token));
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
