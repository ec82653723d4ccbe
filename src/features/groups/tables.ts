import type { GroupId, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/**
 * User groups. `system` ones follow the roles and have no member rows; `anonymous` ones hold the people and groups of one
 * setting's value and are nobody's to see.
 */
export const userGroup = table('user_group', {
  id: col.id<GroupId>(),
  realm_id: col.ref<RealmId>(),
  group_kind: col.text<'system' | 'named' | 'anonymous'>(),
  name: col.text(),
  name_key: col.text(),
  description: col.text(),
  creator_id: col.refOrNull<UserId>(),
  date_created: col.int(),
  deactivated: col.bool(),
  can_add_members_group: col.ref<GroupId>(),
  can_join_group: col.ref<GroupId>(),
  can_leave_group: col.ref<GroupId>(),
  can_manage_group: col.ref<GroupId>(),
  can_mention_group: col.ref<GroupId>(),
  can_remove_members_group: col.ref<GroupId>(),
});
export type GroupRow = SelectOf<typeof userGroup>;

/** Direct members. */
export const userGroupMember = table('user_group_member', {
  realm_id: col.ref<RealmId>(),
  group_id: col.ref<GroupId>(),
  user_id: col.ref<UserId>(),
});

/** Direct subgroups. */
export const userGroupSubgroup = table('user_group_subgroup', {
  realm_id: col.ref<RealmId>(),
  group_id: col.ref<GroupId>(),
  subgroup_id: col.ref<GroupId>(),
});

/** Up to when people who became full members by waiting have been announced, in seconds since 1970. */
export const fullMemberClock = table('full_member_clock', {
  realm_id: col.ref<RealmId>(),
  announced_until: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    user_group: RowOf<typeof userGroup>;
    user_group_member: RowOf<typeof userGroupMember>;
    user_group_subgroup: RowOf<typeof userGroupSubgroup>;
    full_member_clock: RowOf<typeof fullMemberClock>;
  }
}
