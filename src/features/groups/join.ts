import { isFullMember } from '#features/users';
import type { RealmRef, RealmRefWriteTx } from '#kernel/auth';
import { everyoneInRealm } from '#kernel/events';
import type { GroupId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { without } from '#kernel/lists';
import { Role } from '#kernel/permissions';
import { inRealm, type RealmWriteTx } from '#kernel/store';
import { changingMembership } from './membership.ts';
import { groupMembersAdded, groupMembersRemoved } from './events.ts';
import { activeUsersByRole, insertMembersOfEach, namedGroupsOf } from './members/queries.ts';
import { setAnnouncedUntil } from './queries.ts';

/** Adds a newcomer to named groups and tells everybody; the newcomer has yet to register. Rights have been checked. */
export async function addToGroups(tx: RealmWriteTx, groupIds: readonly GroupId[], userId: UserId): Promise<void> {
  await insertMembersOfEach(
    tx,
    groupIds.map((id) => [id, [userId]]),
  );
  for (const id of groupIds) announceMembers(tx, id, [userId]);
}

/** Tells everybody which of the groups that follow the roles list a new account. See protocol/permissions#roles. */
export function announceRoleGroups(tx: RealmRefWriteTx, user: Listed): void {
  for (const groupId of roleGroupsOf(tx, user)) announceMembers(tx, groupId, [user.id]);
}

/** Tells everybody of all groups that list an account that came back. See protocol/users#reactivating. */
export async function announceReturn(tx: RealmRefWriteTx, user: Listed): Promise<void> {
  announceRoleGroups(tx, user);
  for (const id of await namedGroupsOf(tx, user.id)) announceMembers(tx, id, [user.id]);
}

/** Tells guests who do not know an account that it has left its groups. See protocol/users#deactivating, events. */
export async function announceLeaving(tx: RealmRefWriteTx, user: Listed, guests: readonly UserId[]): Promise<void> {
  const groups = [...roleGroupsOf(tx, user), ...(await namedGroupsOf(tx, user.id))];
  for (const group_id of groups)
    tx.emit(groupMembersRemoved({ group_id, user_ids: [user.id] }, { audience: { users: guests } }));
}

/** An account as far as it follows from it which groups of the roles list it. */
interface Listed {
  readonly id: UserId;
  readonly role: number;
  readonly date_joined: number;
}

/** The groups of the roles that list an account directly. */
function roleGroupsOf(tx: RealmRefWriteTx, user: Listed): readonly GroupId[] {
  const isFull = user.role === Role.member && isFullMember(user, tx.realm.waitingPeriodDays, tx.now);
  return [groupOfRole(tx.realm, user.role), ...(isFull ? [tx.realm.groups['role:fullmembers']] : [])];
}

/** The groups that follow the roles, before and after a change of somebody's role. See protocol/events#order. */
export function announceRoleChange(
  tx: RealmRefWriteTx,
  user: { readonly id: UserId; readonly date_joined: number },
  roles: { readonly old: number; readonly new: number },
): void {
  const listed = (role: number) => {
    const isFull = role === Role.member && isFullMember({ ...user, role }, tx.realm.waitingPeriodDays, tx.now);
    return [groupOfRole(tx.realm, role), ...(isFull ? [tx.realm.groups['role:fullmembers']] : [])];
  };
  const before = listed(roles.old);
  const after = listed(roles.new);
  for (const group_id of before)
    if (!after.includes(group_id)) tx.emit(groupMembersRemoved({ group_id, user_ids: [user.id] }));
  for (const group_id of after) if (!before.includes(group_id)) announceMembers(tx, group_id, [user.id]);
}

/** Full members, before and after a change of the days that make one. See protocol/permissions#roles. */
export async function announceFullMembers(
  context: Context,
  tx: RealmRefWriteTx,
  waitingDays: { readonly old: number; readonly new: number },
): Promise<void> {
  const members = (await activeUsersByRole(tx)).filter((user) => user.role === Role.member);
  const full = (days: number) => members.filter((user) => isFullMember(user, days, tx.now)).map(({ id }) => id);
  const [before, after] = [full(waitingDays.old), full(waitingDays.new)];
  const group_id = tx.realm.groups['role:fullmembers'];
  const gone = without(before, after);
  const come = without(after, before);
  await setAnnouncedUntil(tx, tx.now);
  if (gone.length === 0 && come.length === 0) return;
  const under = (days: number) => inRealm(tx, { ...tx.realm, waitingPeriodDays: days });
  const announce = async () => {
    if (gone.length > 0) tx.emit(groupMembersRemoved({ group_id, user_ids: gone }));
    if (come.length > 0) announceMembers(tx, group_id, come);
  };
  await changingMembership(context, under(waitingDays.old), {
    groupIds: [group_id],
    change: announce,
    after: under(waitingDays.new),
  });
}

function announceMembers(tx: RealmWriteTx, group_id: GroupId, userIds: readonly UserId[]): void {
  tx.emit(groupMembersAdded({ group_id, user_ids: [...userIds] }, { audience: everyoneInRealm }));
}

/** The system group that lists people of a role directly. */
function groupOfRole(realm: RealmRef, role: number): GroupId {
  if (role === Role.owner) return realm.groups['role:owners'];
  if (role === Role.administrator) return realm.groups['role:administrators'];
  if (role === Role.moderator) return realm.groups['role:moderators'];
  return role === Role.member ? realm.groups['role:members'] : realm.groups['role:everyone'];
}
