import type { Actor, ActorReadTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { foldCase } from '#kernel/text';
import { findByVisibleEmails, findUser, findUsers, NoSuchUser, type UserRow } from '#features/users';
import { UserIsDeactivated } from './errors.ts';

/** People named in a request: by ID, or by address. */
export type Principals = readonly UserId[] | readonly string[] | undefined;

/** Whether a request names anybody but its caller. The caller's own address counts as somebody else. */
export function namesOthers(principals: Principals, actor: Actor): boolean {
  return principals?.some((principal) => principal !== actor.userId) ?? false;
}

/** The accounts named, the caller's when none is; undefined for those that do not exist. */
export async function findPrincipals(
  tx: ActorReadTx,
  principals: Principals,
  host: string,
): Promise<readonly (UserRow | undefined)[]> {
  if (!principals || principals.length === 0) return [await findUser(tx, tx.actor.userId)];
  const isKnown = (row: UserRow | undefined) => row && !row.is_system_bot && !tx.actor.viewer.hidden?.has(row.id);
  return (await rowsOf(tx, principals, host)).map((row) => (isKnown(row) ? row : undefined));
}

/**
 * Returns the IDs of these people without repeats; all must exist and be active.
 * See protocol/subscriptions#subscribing-checks, checks 16 and 17.
 */
export async function accessPrincipals(
  tx: ActorReadTx,
  principals: Principals,
  host: string,
): Promise<readonly UserId[]> {
  const people = new Map<UserId, UserRow>();
  for (const row of await findPrincipals(tx, principals, host)) {
    if (!row) throw NoSuchUser();
    people.set(row.id, row);
  }
  for (const row of people.values()) if (!row.is_active) throw UserIsDeactivated();
  return [...people.keys()];
}

async function rowsOf(
  tx: ActorReadTx,
  principals: readonly (UserId | string)[],
  host: string,
): Promise<readonly (UserRow | undefined)[]> {
  const ids = principals.filter((principal) => typeof principal === 'number');
  const emails = principals.filter((principal) => typeof principal === 'string');
  if (emails.length === 0) {
    const byId = await findUsers(tx, ids);
    return ids.map((id) => byId.get(id));
  }
  const byEmail = await findByVisibleEmails(tx, emails, host);
  return emails.map((email) => byEmail.get(foldCase(email.trim())));
}
