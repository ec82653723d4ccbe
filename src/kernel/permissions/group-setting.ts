import type { GroupId, UserId } from '#kernel/ids';
import { anyOf, idOf, lenientObject, list, maybe, type Schema } from '#kernel/schema';
import type { SystemGroupName } from './roles.ts';

/** What has the setting: the organization, a channel, or a user group. */
export type SettingScope = 'realm' | 'stream' | 'group';

/** A permission whose value is a group. */
export interface GroupSetting<Name extends string = string> {
  readonly name: Name;
  readonly scope: SettingScope;
  /** A system group, or a word for the creator. */
  readonly default: SystemGroupName | 'channel_creator' | 'group_creator';
  readonly allowsEveryone: boolean;
  readonly allowsNobody: boolean;
  /** Whether the value must be a system group, without additional members. */
  readonly requiresSystemGroup: boolean;
  readonly allowedSystemGroups: readonly SystemGroupName[];
  readonly source: string;
}

interface Declaration<Name extends string> {
  readonly name: Name;
  readonly on: SettingScope;
  readonly default: GroupSetting['default'];
  /** Whether the groups of everyone and of nobody are allowed. */
  readonly everyone: boolean;
  readonly nobody: boolean;
  /** If given, the value must be a system group: one of these, or any if the list is empty. */
  readonly onlySystemGroups?: readonly SystemGroupName[];
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

/** Who has a permission: a group, or users and groups named directly. See protocol/permissions#values. */
export type GroupSettingValue =
  | GroupId
  | { readonly direct_members: readonly UserId[]; readonly direct_subgroups: readonly GroupId[] };

/** Most users or groups in a value that is sent; earlier releases allowed more than `MAX_NAMED`. */
const MAX_SHOWN = 10_000;
/** Most users or groups in a new value; register responses contain the values of all channels and groups. */
const MAX_NAMED = 100;

/** Shape of a group-setting value in replies and events. */
export const groupSettingValue = valueNaming(MAX_SHOWN).meta({ id: 'GroupSettingValue' });

/** Shape of a new value. */
export const newGroupSettingValue = valueNaming(MAX_NAMED).meta({ id: 'NewGroupSettingValue' });

/** Shape of a change: the new value, and optionally the value that the client expects to replace. */
export const groupSettingChange = lenientObject({ new: newGroupSettingValue, old: maybe(groupSettingValue) }).meta({
  id: 'GroupSettingChange',
});

function valueNaming(max: number): Schema<GroupSettingValue> {
  return anyOf(
    idOf<GroupId>(),
    lenientObject({
      direct_members: list(idOf<UserId>(), { max }),
      direct_subgroups: list(idOf<GroupId>(), { max }),
    }),
  );
}
