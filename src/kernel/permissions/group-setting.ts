import type { GroupId, UserId } from '#kernel/ids';
import { anyOf, idOf, lenientObject, list, maybe, type Schema } from '#kernel/schema';
import type { SystemGroupName } from './roles.ts';

/** What a setting belongs to: the organization, a channel, or a user group. */
export type SettingScope = 'realm' | 'stream' | 'group';

/** A permission that is held by a group. */
export interface GroupSetting<Name extends string = string> {
  readonly name: Name;
  readonly scope: SettingScope;
  /** A system group, or the word for "the person who creates it". */
  readonly default: SystemGroupName | 'channel_creator' | 'group_creator';
  readonly allowsEveryone: boolean;
  readonly allowsNobody: boolean;
  /** Only system groups, and only these where listed. */
  readonly requiresSystemGroup: boolean;
  readonly allowedSystemGroups: readonly SystemGroupName[];
  readonly source: string;
}

interface Declaration<Name extends string> {
  readonly name: Name;
  readonly on: SettingScope;
  readonly default: GroupSetting['default'];
  /** Which of the two outermost system groups are allowed. */
  readonly everyone: boolean;
  readonly nobody: boolean;
  readonly onlySystemGroups?: readonly SystemGroupName[];
  /** A system group is required although any of them will do. */
  readonly source: string;
}

/** Declares a permission setting. */
export function groupSetting<const Name extends string>(declaration: Declaration<Name>): GroupSetting<Name> {
  const { name, on, everyone, nobody, onlySystemGroups, source } = declaration;
  return {
    name,
    scope: on,
    default: declaration.default,
    allowsEveryone: everyone,
    allowsNobody: nobody,
    requiresSystemGroup: onlySystemGroups !== undefined,
    allowedSystemGroups: onlySystemGroups ?? [],
    source,
  };
}

/** Who holds a permission: a group, or people and groups named directly. Api "Group-setting value". */
export type GroupSettingValue =
  | GroupId
  | { readonly direct_members: readonly UserId[]; readonly direct_subgroups: readonly GroupId[] };

/** Most people or groups one value may name. */
const MAX_NAMED = 10_000;

/** Shape of a group-setting value on the wire. */
export const groupSettingValue: Schema<GroupSettingValue> = anyOf(
  idOf<GroupId>(),
  lenientObject({
    direct_members: list(idOf<UserId>(), { max: MAX_NAMED }),
    direct_subgroups: list(idOf<GroupId>(), { max: MAX_NAMED }),
  }),
).meta({ id: 'GroupSettingValue' });

/** Shape of a change: the new value and, where the client says so, the value it expects to find. */
export const groupSettingChange = lenientObject({ new: groupSettingValue, old: maybe(groupSettingValue) }).meta({
  id: 'GroupSettingChange',
});
