import type { Context } from '#kernel/context';
import type { DirectoryPerson } from '#kernel/directory';
import type { RealmRef } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { foldCase } from '#kernel/text';
import { LDAP_ISSUER, listIdentitiesOf } from '#features/sign-in';
import { listUsers, type UserRow } from '#features/users';
import { listDirectoryPeople } from './queries.ts';
import type { DirectoryPersonRow } from './tables.ts';

/** The people of an organization, as far as its directory is about them. */
export interface Known {
  readonly people: ReadonlyMap<UserId, UserRow>;
  readonly byAddress: ReadonlyMap<string, UserRow>;
  /** Accounts by what the directory calls their people. */
  readonly connected: ReadonlyMap<string, UserId>;
  readonly rows: ReadonlyMap<UserId, DirectoryPersonRow>;
}

/** Reads them all: a directory is compared with everybody at once. */
export function readKnown({ store }: Pick<Context, 'store'>, realm: RealmRef): Promise<Known> {
  return store.in(realm).read(async (tx) => {
    const rows = (await listUsers(tx)).filter((row) => !row.is_bot && !row.is_deleted);
    const identities = await listIdentitiesOf(tx, LDAP_ISSUER);
    return {
      people: new Map(rows.map((row) => [row.id, row])),
      byAddress: new Map(rows.map((row) => [row.email_key, row])),
      connected: new Map(identities.map(({ subject, user_id }) => [subject, user_id])),
      rows: await listDirectoryPeople(tx),
    };
  });
}

/**
 * The account of somebody in the directory: the one connected to them, else the active one of their address.
 * See protocol/authentication#joining, rows 1 and 4.
 */
export function accountOf(known: Known, { subject, email }: DirectoryPerson): UserRow | undefined {
  const id = known.connected.get(subject);
  if (id !== undefined) return known.people.get(id);
  const holder = email === undefined ? undefined : known.byAddress.get(foldCase(email));
  return holder?.is_active ? holder : undefined;
}
