import type { SystemGroupName } from './roles.ts';

/** What a setting belongs to: the organization, a channel, or a user group. */
export type SettingScope = 'realm' | 'stream' | 'group';

/** A permission that is held by a group. */
export interface GroupSetting<Name extends string = string> {
  readonly name: Name;
  readonly scope: SettingScope;
  /** A system group, or the word for "whoever creates it". */
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
