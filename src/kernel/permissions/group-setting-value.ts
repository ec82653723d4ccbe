import type { GroupId, UserId } from '#kernel/ids';
import { anyOf, idOf, lenientObject, list, maybe, type Schema } from '#kernel/schema';

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
