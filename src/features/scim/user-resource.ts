import type { ScimResourceRow } from './tables.ts';
import { Role } from '#kernel/permissions';
import type { UserRow } from '#features/users';
import { type Resource, tagOf, withMeta } from './resource.ts';

/** Roles by their number, as directories name them. */
const ROLE_NAMES = new Map<number, string>(Object.entries(Role).map(([name, role]) => [role, name]));

/** Whether directories see an account: people, but not bots. */
export function isPerson(row: UserRow): boolean {
  return !row.is_bot && !row.is_system_bot && !row.is_deleted;
}

/** Whether an account is deleted for directories: a directory deleted it, and nobody has reactivated it. */
export function isGone(row: UserRow, said: ScimResourceRow | undefined): boolean {
  return !isPerson(row) || (said?.is_deleted === true && !row.is_active);
}

/** A person as directories see them. */
export function toUser(base: string, row: UserRow, said: ScimResourceRow | undefined): Resource {
  const attributes = {
    ...((said?.external_id ?? null) !== null && { externalId: said?.external_id }),
    userName: row.email,
    displayName: row.full_name,
    name: { formatted: row.full_name, ...partsOf(row.full_name) },
    emails: [{ value: row.email, type: 'work', primary: true }],
    active: row.is_active,
    roles: [{ value: ROLE_NAMES.get(row.role) ?? 'member', primary: true }],
    ...(row.timezone !== '' && { timezone: row.timezone }),
  };
  const about = { base, resourceType: 'User', id: row.id, created: row.date_joined } as const;
  return withMeta(about, attributes, tagOf([JSON.stringify(attributes)]));
}

/**
 * Splits a name into the given name and the family name that directories want; Roost has one name, and its last word
 * becomes the family name.
 */
export function partsOf(name: string): { readonly givenName: string; readonly familyName?: string } {
  const at = name.lastIndexOf(' ');
  return at < 0 ? { givenName: name } : { givenName: name.slice(0, at), familyName: name.slice(at + 1) };
}
