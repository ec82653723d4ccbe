import { createHash } from 'node:crypto';
import type { UserRow } from './tables.ts';

type AvatarFacts = Pick<
  UserRow,
  'id' | 'realm_id' | 'email' | 'email_address_visibility' | 'avatar_source' | 'avatar_version' | 'avatar_file'
>;

/** Visibility of an address with which a client may compute its Gravatar itself. */
const EVERYONE = 1;

/** Address of a user's picture. Null, if allowed, when the client can derive it from the email address. */
export function avatarUrl(row: AvatarFacts, options: { mayBeNull: boolean; medium?: boolean }): string | null {
  if (row.avatar_source !== 'G') return storedAvatarUrl(row, options.medium ?? false);
  if (options.mayBeNull && row.email_address_visibility === EVERYONE) return null;
  return gravatarUrl(row.email, row.avatar_version, options.medium ?? false);
}

/**
 * Address of a picture on this server: uploaded, with a name that nobody can guess, or generated from the user's ID. See
 * protocol/files#avatars.
 */
function storedAvatarUrl(row: AvatarFacts, medium: boolean): string {
  const name = row.avatar_source === 'U' ? `uploaded/${row.avatar_file ?? row.id}` : `generated/${row.id}`;
  return `/user_avatars/${row.realm_id}/${name}${medium ? '-medium' : ''}.png?version=${row.avatar_version}`;
}

/** The gravatar of an address. */
export function gravatarUrl(email: string, version: number, medium: boolean): string {
  const hash = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${medium ? '&s=500' : ''}&version=${version}`;
}
