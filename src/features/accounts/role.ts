import type { RealmRefWriteTx } from '#kernel/auth';
import { deleteQueuesOf, everyoneInRealm, lockLog } from '#kernel/events';
import { isGuest } from '#kernel/permissions';
import { announceDefaultsTo, announceVisibility } from '#features/channels';
import { announceDefaultGroupsTo } from '#features/default-channel-groups';
import { announceRoleChange } from '#features/groups';
import { isFullMember, listBotsOf, realmUserUpdated, setUser, type UserRow } from '#features/users';

/**
 * Gives an account another role. Its bots get a lower one with it, because their owner has their keys. The caller has
 * checked rights. See protocol/users#changing.
 */
export async function changeRole(tx: RealmRefWriteTx, user: UserRow, role: number): Promise<void> {
  await giveRole(tx, user, role);
  if (role < user.role) return;
  const bots = (await listBotsOf(tx, user.id)).filter((bot) => bot.role < role);
  for (const bot of bots) await giveRole(tx, bot, role);
}

/**
 * Stores a role, and tells the account which channels became visible or invisible. Access to messages from before the change stays
 * limited by the former role, too. See protocol/events#order, change a role.
 */
async function giveRole(tx: RealmRefWriteTx, user: UserRow, role: number): Promise<void> {
  const position = await lockLog(tx);
  await setUser(tx, user.id, { role, previous_role: user.role, role_event_id: position });
  const person = { user_id: user.id, role };
  const before = { role: user.role };
  tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm, viewers: [user.id], before }));
  // Groups list active members only.
  if (user.is_active) announceRoleChange(tx, user, { old: user.role, new: role });
  // Guests may not know everybody, so the client must fetch the users again.
  const isOther = isGuest(user) !== isGuest({ role });
  if (tx.realm.restrictsGuests && isOther) await deleteQueuesOf(tx, [user.id]);
  if (!user.is_active) return;
  const under = (asked: number) => ({
    realm: tx.realm,
    userId: user.id,
    role: asked,
    isFullMember: isFullMember({ ...user, role: asked }, tx.realm.waitingPeriodDays, tx.now),
  });
  await announceVisibility(tx, under(user.role), under(role));
  if (!isOther) return;
  await announceDefaultsTo(tx, user.id, isGuest({ role }));
  await announceDefaultGroupsTo(tx, user.id, isGuest({ role }));
}
