import type { Actor, ActorReadTx, CallerReadTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import { foldCase } from '#kernel/text';
import { NoSuchUser } from './errors.ts';
import { findUser, findUsersByEmail } from './queries.ts';
import type { UserRow } from './tables.ts';
import { seesEmail } from './to-wire.ts';

/**
 * Returns a user or system bot; throws the same error for users hidden from the actor as for unknown ones. See
 * protocol/events#audiences, SEES.
 */
export async function accessUser(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const { viewer } = tx.actor;
  const row = await findUser(tx, id);
  if (!row || viewer.hidden?.has(id)) throw NoSuchUser();
  return row;
}

/** Returns a user like `accessUser`, but treats system bots as unknown. */
export async function accessAccount(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const row = await accessUser(tx, id);
  if (row.is_system_bot) throw NoSuchUser();
  return row;
}

/**
 * Finds an account by its real or made-up address, unless it is hidden from the caller. See protocol/users#operations.
 */
export async function findByVisibleEmail(tx: ActorReadTx, email: string, host: string): Promise<UserRow | undefined> {
  const row = (await findByVisibleEmails(tx, [email], host)).get(foldCase(email.trim()));
  return row && !tx.actor.viewer.hidden?.has(row.id) ? row : undefined;
}

/**
 * Finds accounts by address; keys are the given addresses, case-folded. A real address that the caller may not see
 * finds nobody (a null caller is a spectator); a made-up one reveals no more than the ID. See
 * protocol/users#user-object, protocol/users#operations.
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
 * Bots in whose name the server sends messages: their full name, and the local part of their address. See
 * protocol/register#people.
 */
export const SystemBot = {
  notification: { full_name: 'Notification Bot', local: 'notification-bot' },
  welcome: { full_name: 'Welcome Bot', local: 'welcome-bot' },
  emailGateway: { full_name: 'Email Gateway', local: 'emailgateway' },
} as const;

/** Full name of a system bot, by which it is found in an organization. */
export type SystemBotName = (typeof SystemBot)[keyof typeof SystemBot]['full_name'];
