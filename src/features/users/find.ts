import type { Actor, RealmRef } from '#kernel/auth';
import { Role } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { findUsersByEmail } from './queries.ts';
import type { UserRow } from './tables.ts';
import { seesEmail } from './to-wire.ts';

/** The account of an address, real or made up; one that the caller may not see finds nobody. Contract surrounding 2.4.2. */
export async function findByVisibleEmail(
  tx: ReadTx,
  realm: RealmRef,
  actor: Actor,
  email: string,
  host: string,
): Promise<UserRow | undefined> {
  const row = (await findByVisibleEmails(tx, realm, actor, [email], host)).get(foldCase(email.trim()));
  return row && !actor.viewer.hidden?.has(row.id) ? row : undefined;
}

/**
 * The accounts of addresses, by folded address as asked for. A real address that the caller, null for a spectator, may
 * not see is nobody's; a made-up one says nothing that its ID does not say. Contract surrounding 2.4.1, 2.4.2.
 */
export async function findByVisibleEmails(
  tx: ReadTx,
  realm: Pick<RealmRef, 'id'>,
  actor: Actor | null,
  emails: readonly string[],
  host: string,
): Promise<ReadonlyMap<string, UserRow>> {
  const found = await findUsersByEmail(tx, realm.id, emails, host);
  return new Map([...found].filter(([key, row]) => key !== row.email_key || seesAddress(actor, row)));
}

function seesAddress(actor: Actor | null, row: UserRow): boolean {
  if (row.id === actor?.userId) return true;
  return !actor?.viewer.hidden?.has(row.id) && seesEmail(row, actor?.role ?? Role.guest);
}
