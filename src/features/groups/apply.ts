import type { WireGroup } from './wire.ts';

/** What a client keeps of user groups. */
export interface GroupsState {
  readonly realm_user_groups: readonly WireGroup[];
}

/** An account came or went; only its going says something about groups. See protocol/events#order. */
interface UserEvent {
  readonly type: 'realm_user';
  readonly op: 'add' | 'update' | 'remove';
  readonly person: { readonly user_id: number; readonly is_active?: boolean };
}

type GroupEvent =
  | { readonly op: 'add'; readonly group: WireGroup }
  | { readonly op: 'remove'; readonly group_id: number }
  | { readonly op: 'update'; readonly group_id: number; readonly data: Partial<WireGroup> }
  | { readonly op: 'add_members' | 'remove_members'; readonly group_id: number; readonly user_ids: readonly number[] }
  | {
      readonly op: 'add_subgroups' | 'remove_subgroups';
      readonly group_id: number;
      readonly direct_subgroup_ids: readonly number[];
    };

/** How a `user_group` or `realm_user` event changes what a client keeps. */
export function applyGroupEvent(
  state: GroupsState,
  event: GroupEvent | UserEvent,
): { realm_user_groups: readonly object[] } {
  const groups = state.realm_user_groups;
  if ('person' in event) return { realm_user_groups: groups.map((group) => withoutGone(group, event)) };
  switch (event.op) {
    case 'add':
      return { realm_user_groups: [...groups, event.group].toSorted((a, b) => a.id - b.id) };
    case 'remove':
      return { realm_user_groups: groups.filter((group) => group.id !== event.group_id) };
    default:
      return {
        realm_user_groups: groups.map((group) =>
          group.id === event.group_id ? { ...group, ...changed(group, event) } : group,
        ),
      };
  }
}

/** Deactivated accounts are in no group, without an event that says so. */
function withoutGone(group: WireGroup, { op, person }: UserEvent): WireGroup {
  if (op !== 'update' || person.is_active !== false) return group;
  return { ...group, members: group.members.filter((id) => id !== person.user_id) };
}

function changed(group: WireGroup, event: Exclude<GroupEvent, { readonly op: 'add' | 'remove' }>): object {
  switch (event.op) {
    case 'update':
      return event.data;
    case 'add_members':
      return { members: united(group.members, event.user_ids) };
    case 'remove_members':
      return { members: group.members.filter((id) => !event.user_ids.includes(id)) };
    case 'add_subgroups':
      return { direct_subgroup_ids: united(group.direct_subgroup_ids, event.direct_subgroup_ids) };
    case 'remove_subgroups':
      return {
        direct_subgroup_ids: group.direct_subgroup_ids.filter((id) => !event.direct_subgroup_ids.includes(id)),
      };
  }
}

function united(known: readonly number[], more: readonly number[]): readonly number[] {
  return [...new Set([...known, ...more])].toSorted((a, b) => a - b);
}
