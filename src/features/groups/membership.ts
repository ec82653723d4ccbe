import { isFullMember } from '#features/users';
import type { Actor, RealmRef, RealmRefReadTx, RealmRefWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { GroupId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import {
  type GroupSetting,
  isGuest,
  SYSTEM_GROUPS,
  type SystemGroupName,
  systemGroupsOfRole,
} from '#kernel/permissions';
import { signal } from '#kernel/slice';
import { oncePerSnapshot, type RealmReadTx } from '#kernel/store';
import { activeMembersOf, activeUsersByRole, directMembers } from './members/queries.ts';
import { groupsAbove, groupsBelow, groupsBelowEach } from './nesting/queries.ts';

/** A user as far as membership of groups depends on it. */
export type Person = Pick<Actor, 'realm' | 'userId' | 'role' | 'isFullMember'>;

/** Every group a user is in, named and anonymous ones and those of the role, through any nesting. */
export function groupsOf(tx: RealmReadTx, person: Person): Promise<ReadonlySet<GroupId>> {
  const own = ownSystemGroups(person);
  return groupsOnce(tx, `${person.realm.id} ${person.userId} ${own.join()}`, () => groupsAbove(tx, person.userId, own));
}

const groupsOnce = oncePerSnapshot<ReadonlySet<GroupId>>();

/** Whether a user holds a permission whose value is `groupId`. Guests never do where everyone is not allowed. */
export async function holds(
  tx: RealmReadTx,
  person: Person,
  setting: GroupSetting,
  groupId: GroupId,
): Promise<boolean> {
  if (isGuest(person) && !setting.allowsEveryone) return false;
  if (isSystemGroup(person.realm, groupId)) return ownSystemGroups(person).includes(groupId);
  return (await groupsOf(tx, person)).has(groupId);
}

/** Whether a user holds a permission, by a set of groups that was read before; for many checks at once. */
export function holdsAmong(
  groups: ReadonlySet<GroupId>,
  person: Person,
  setting: GroupSetting,
  groupId: GroupId,
): boolean {
  return groups.has(groupId) && !(isGuest(person) && !setting.allowsEveryone);
}

export function isSystemGroup(realm: RealmRef, groupId: GroupId): boolean {
  return Object.values(realm.groups).includes(groupId);
}

/** Name of a system group. */
export function systemGroupName(realm: RealmRef, groupId: GroupId): SystemGroupName | undefined {
  return SYSTEM_GROUPS.find(({ name }) => realm.groups[name] === groupId)?.name;
}

/** Active users in any of the groups, through any nesting, ascending. Its cost follows the number of users. */
export async function membersOf(tx: RealmRefReadTx, groupIds: readonly GroupId[]): Promise<readonly UserId[]> {
  if (groupIds.length === 0) return [];
  const below = await groupsBelow(tx, groupIds);
  const members = new Set(await activeMembersOf(tx, below));
  const system = new Set(below.filter((id) => isSystemGroup(tx.realm, id) && id !== tx.realm.groups['role:nobody']));
  if (system.size > 0) {
    for (const user of await activeUsersByRole(tx)) {
      const full = isFullMember(user, tx.realm.waitingPeriodDays, tx.now);
      if (systemGroupsOfRole(user.role, full).some((name) => system.has(tx.realm.groups[name]))) members.add(user.id);
    }
  }
  return [...members].toSorted((a, b) => a - b);
}

/**
 * Active people in each of the groups, through any nesting, guests left out; full members as of a time. Its cost follows
 * the number of users, not that of groups.
 */
export async function nonGuestsOfEach(
  tx: RealmRefReadTx,
  groupIds: readonly GroupId[],
  asOf = tx.now,
): Promise<ReadonlyMap<GroupId, ReadonlySet<UserId>>> {
  const below = await groupsBelowEach(tx, groupIds);
  const direct = await directMembers(tx, [...new Set([...below.values()].flat())]);
  const people = (await activeUsersByRole(tx)).filter((user) => !isGuest(user));
  const ids = new Set(people.map((user) => user.id));
  const byRole = grouped(
    people.flatMap((user) => {
      const names = systemGroupsOfRole(user.role, isFullMember(user, tx.realm.waitingPeriodDays, asOf));
      return names.map((name) => [tx.realm.groups[name], user.id] as const);
    }),
  );
  const membersIn = (id: GroupId) => [
    ...(direct.get(id) ?? []).filter((user) => ids.has(user)),
    ...(byRole.get(id) ?? []),
  ];
  return new Map([...below].map(([root, nested]) => [root, new Set(nested.flatMap(membersIn))]));
}

function ownSystemGroups({ realm, role, isFullMember: isFull }: Person): readonly GroupId[] {
  return systemGroupsOfRole(role, isFull).map((name) => realm.groups[name]);
}

/**
 * Who is in some groups is about to change. What depends on it looks now, and again in the work it hands to `afterwards`,
 * in a transaction that has the organization as it is then.
 */
export const membershipChanging = signal<
  {
    readonly groupIds: readonly GroupId[];
    /** Who is a full member before the change is as of this time, in seconds since 1970. */
    readonly asOf: number;
    readonly afterwards: (work: (tx: RealmRefWriteTx) => Promise<void>) => void;
  },
  RealmRefWriteTx
>('group-membership-changing');

interface Change {
  readonly groupIds: readonly GroupId[];
  readonly change: () => Promise<void>;
  /** The transaction with the organization as it is after the change, where that is another. */
  readonly after?: RealmRefWriteTx;
  /** The time as of which people are full members before the change; now when absent. */
  readonly asOf?: number;
}

/** Changes who is in the groups, and runs what depends on it before and after. */
export async function changingMembership(
  context: Context,
  tx: RealmRefWriteTx,
  { groupIds, change, after = tx, asOf = tx.now }: Change,
): Promise<void> {
  const following: ((tx: RealmRefWriteTx) => Promise<void>)[] = [];
  await membershipChanging.send(tx, { groupIds, asOf, afterwards: (work) => following.push(work) }, context);
  await change();
  for (const work of following) await work(after);
}
