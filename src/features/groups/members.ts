import { record } from '#kernel/audit';
import type { Actor, ActorWriteTx } from '#kernel/auth';
import { InsufficientPermission } from '#kernel/errors';
import { everyoneInRealm, lockLog } from '#kernel/events';
import type { GroupId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { signal } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';
import { accessToChange, type GroupRights } from './access.ts';
import { changingMembership } from './membership.ts';
import {
  AlreadyMember,
  AlreadySubgroup,
  NotMember,
  NotSubgroup,
  SubgroupCycle,
  UserGroupDeactivated,
} from './errors.ts';
import { groupMembersAdded, groupMembersRemoved, subgroupsAdded, subgroupsRemoved } from './events.ts';
import {
  deleteMembers,
  deleteSubgroups,
  directMembers,
  directSubgroups,
  insertMembers,
  insertSubgroups,
} from './members/queries.ts';
import { groupsBelow } from './nesting/queries.ts';
import { assertRoomForMembers } from './room.ts';
import type { GroupRow } from './tables.ts';
import { assertMembers, assertSubgroups } from './update.ts';

/** People and groups that join or leave a group. See protocol/groups#operations. */
export interface MembershipChange {
  readonly add: readonly UserId[];
  readonly delete: readonly UserId[];
  readonly add_subgroups: readonly GroupId[];
  readonly delete_subgroups: readonly GroupId[];
}

/** Somebody's request added people to a group, or removed them. */
export const membersChanged = signal<
  {
    readonly group: GroupRow;
    readonly added: readonly UserId[];
    readonly removed: readonly UserId[];
  },
  ActorWriteTx
>('group-members-changed');

/** Changes who is in a group: all of it, or nothing. See protocol/groups#operations. */
export async function changeMembership(
  context: Context,
  actor: Actor,
  id: GroupId,
  change: MembershipChange,
): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await changeMembershipWithin(context, tx, id, change);
  });
}

/** The same inside a transaction that holds the log's lock. */
export async function changeMembershipWithin(
  context: Context,
  tx: ActorWriteTx,
  id: GroupId,
  change: MembershipChange,
): Promise<void> {
  const rights = await accessToChange(tx, id);
  assertRights(rights, tx.actor, change);
  if (rights.group.deactivated) throw UserGroupDeactivated();
  await assertRoomForMembers(tx, growth(change));
  const write = async () => {
    await addPeople(tx, id, change.add);
    await removePeople(tx, id, change.delete);
    await addGroups(tx, id, change.add_subgroups);
    await removeGroups(tx, id, change.delete_subgroups);
  };
  await changingMembership(context, tx, { groupIds: [id], change: write });
  const { group } = rights;
  const target = { kind: 'group', id, name: group.name };
  record(tx, { action: 'group.members', target, after: change });
  await membersChanged.send(
    tx,
    {
      group,
      added: change.add,
      removed: change.delete,
    },
    context,
  );
}

/** How many members and subgroups a group gains or loses; one that is named twice counts once. */
function growth(change: MembershipChange): number {
  const count = (ids: readonly number[]) => new Set(ids).size;
  return count(change.add) + count(change.add_subgroups) - count(change.delete) - count(change.delete_subgroups);
}

/** Adding oneself, and leaving, have permissions of their own. */
function assertRights({ mayManage, holds }: GroupRights, actor: Actor, change: MembershipChange): void {
  if (mayManage) return;
  const onlySelf = (ids: readonly UserId[]) => ids.every((id) => id === actor.userId);
  const mayAdd = holds('can_add_members_group');
  const mayRemove = holds('can_remove_members_group');
  const refused =
    (change.add.length > 0 && !mayAdd && !(onlySelf(change.add) && holds('can_join_group'))) ||
    (change.delete.length > 0 && !mayRemove && !(onlySelf(change.delete) && holds('can_leave_group'))) ||
    (change.add_subgroups.length > 0 && !mayAdd) ||
    (change.delete_subgroups.length > 0 && !mayRemove);
  if (refused) throw InsufficientPermission();
}

async function addPeople(tx: RealmWriteTx, group_id: GroupId, ids: readonly UserId[]): Promise<void> {
  if (ids.length === 0) return;
  await assertMembers(tx, ids);
  const known = new Set((await directMembers(tx, [group_id])).get(group_id) ?? []);
  for (const id of ids) if (known.has(id)) throw AlreadyMember({ id });
  const user_ids = [...new Set(ids)];
  await insertMembers(tx, group_id, user_ids);
  tx.emit(groupMembersAdded({ group_id, user_ids }, { audience: everyoneInRealm }));
}

async function removePeople(tx: RealmWriteTx, group_id: GroupId, ids: readonly UserId[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await directMembers(tx, [group_id])).get(group_id) ?? []);
  for (const id of ids) if (!known.has(id)) throw NotMember({ id });
  const user_ids = [...new Set(ids)];
  await deleteMembers(tx, group_id, user_ids);
  tx.emit(groupMembersRemoved({ group_id, user_ids }));
}

async function addGroups(tx: RealmWriteTx, group_id: GroupId, ids: readonly GroupId[]): Promise<void> {
  if (ids.length === 0) return;
  await assertSubgroups(tx, ids);
  const known = new Set((await directSubgroups(tx, [group_id])).get(group_id) ?? []);
  for (const id of ids) if (known.has(id)) throw AlreadySubgroup({ id });
  // A group inside itself, however deep, would belong to nobody and everybody.
  if ((await groupsBelow(tx, ids)).includes(group_id)) throw SubgroupCycle({ id: group_id });
  const direct_subgroup_ids = [...new Set(ids)];
  await insertSubgroups(tx, group_id, direct_subgroup_ids);
  tx.emit(subgroupsAdded({ group_id, direct_subgroup_ids }));
}

async function removeGroups(tx: RealmWriteTx, group_id: GroupId, ids: readonly GroupId[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await directSubgroups(tx, [group_id])).get(group_id) ?? []);
  for (const id of ids) if (!known.has(id)) throw NotSubgroup({ id });
  const direct_subgroup_ids = [...new Set(ids)];
  await deleteSubgroups(tx, group_id, direct_subgroup_ids);
  tx.emit(subgroupsRemoved({ group_id, direct_subgroup_ids }));
}
