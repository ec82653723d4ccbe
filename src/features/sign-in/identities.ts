import { sha256 } from '#kernel/secretbox';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { findSpent, insertSpent } from './queries.ts';

/** Longest issuer and subject that are stored, in characters; a longer one is refused (OpenID Connect Core, section 2). */
const MAX_ISSUER = 2000;
const MAX_SUBJECT = 255;

/** A person as an identity provider knows them. */
export interface ExternalPerson {
  readonly issuer: string;
  readonly subject: string;
}

/** Whether this is a valid issuer and subject of a provider. */
export function isExternalPerson({ issuer, subject }: ExternalPerson): boolean {
  return issuer !== '' && issuer.length <= MAX_ISSUER && subject !== '' && subject.length <= MAX_SUBJECT;
}

/**
 * Uses up a token or attempt. Returns true for exactly one of any number of simultaneous calls, and never again while
 * the token would be valid (security#asvs, 6.5.1, 6.8.3).
 */
export function spend(tx: RealmWriteTx, token: string, seconds: number): Promise<boolean> {
  return insertSpent(tx, sha256(token), tx.now + seconds);
}

/** Whether a token was used up, as long as that is remembered. */
export function isSpent(tx: RealmReadTx, token: string): Promise<boolean> {
  return findSpent(tx, sha256(token));
}
