import type { Actor, ActorReadTx, CallerReadTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import { foldCase } from '#kernel/text';
import { NoSuchUser } from './errors.ts';
import { findUser, findUsersByEmail } from './queries.ts';
import type { UserRow } from './tables.ts';
import { seesEmail } from './to-wire.ts';

/**
 * A user, system bots too; one that is hidden from the actor is answered like none. See protocol/events#audiences,
 * SEES.
 */
export async function accessUser(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const { viewer } = tx.actor;
  const row = await findUser(tx, id);
  if (!row || viewer.hidden?.has(id)) throw NoSuchUser();
  return row;
}

/** The same, where system bots are nobody. */
export async function accessAccount(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const row = await accessUser(tx, id);
  if (row.is_system_bot) throw NoSuchUser();
  return row;
}

/**
 * The account of an address, real or made up; one that the caller may not see finds nobody.
 * See protocol/users#operations.
 */
export async function findByVisibleEmail(tx: ActorReadTx, email: string, host: string): Promise<UserRow | undefined> {
  const row = (await findByVisibleEmails(tx, [email], host)).get(foldCase(email.trim()));
  return row && !tx.actor.viewer.hidden?.has(row.id) ? row : undefined;
}

/**
 * The accounts of addresses, by folded address as asked for. A real address that the caller, null for a spectator, may
 * not see is nobody's; a made-up one says nothing that its ID does not say. See protocol/users#user-object,
 * protocol/users#operations.
 */
export async function findByVisibleEmails(
  tx: CallerReadTx,
  emails: readonly string[],
  host: string,
): Promise<ReadonlyMap<string, UserRow>> {
  const found = await findUsersByEmail(tx, emails, host);
  return new Map([...found].filter(([key, row]) => key !== row.email_key || seesAddress(tx.actor, row)));
}

function seesAddress(actor: Actor | null, row: UserRow): boolean {
  if (row.id === actor?.userId) return true;
  return !actor?.viewer.hidden?.has(row.id) && seesEmail(row, actor?.role ?? Role.guest);
}

/**
 * The bots that the server itself speaks through: full name, and the part of their address before the host.
 * See protocol/register#people.
 */
export const SystemBot = {
  notification: { full_name: 'Notification Bot', local: 'notification-bot' },
  welcome: { full_name: 'Welcome Bot', local: 'welcome-bot' },
  emailGateway: { full_name: 'Email Gateway', local: 'emailgateway' },
} as const;

/** Full name of one of them, by which it is found in an organization. */
export type SystemBotName = (typeof SystemBot)[keyof typeof SystemBot]['full_name'];
