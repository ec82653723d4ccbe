import { actorOf, findSystemBot, SystemBot } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { Role } from '#kernel/permissions';

/**
 * The server itself as an administrator, for a directory that manages an organization because the operator allowed it:
 * it may do what administrators may, but nothing that needs an owner. Notices name Notification Bot.
 */
export async function administrationOf(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  realm: RealmRef,
): Promise<Actor> {
  const bot = await store.in(realm).query((tx) => findSystemBot(tx, SystemBot.notification.full_name));
  if (!bot) throw new Error('the organization has no Notification Bot');
  const { viewer, ...actor } = actorOf({ ...bot, role: Role.administrator }, realm, clock.now());
  return { ...actor, viewer, client: 'directory' };
}
