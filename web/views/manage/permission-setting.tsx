import type { ComponentChildren } from 'preact';
import { type Client, useClient } from '../../client/index.ts';
import type { Holder } from '../../settings/index.ts';
import { t } from '../../words/deferred.ts';
import { offerUndo } from '../undoing.ts';
import {
  boundsOf,
  type HolderIds,
  holderIds,
  isAllowed,
  type PermissionOf,
  type PermissionValue,
  valueOf,
} from './holders.ts';
import { HoldersSetting, personName } from './holders-setting.tsx';
import { type Choice, groupsToChoose, peopleToChoose } from './picker.tsx';
import { groupName } from './rights.ts';
import { SelectSetting, useSaver } from './saving.tsx';

interface PermissionSettingProps {
  readonly of: PermissionOf;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: PermissionValue | undefined;
  readonly fixedBy?: string | undefined;
  /** Saves a change. It contains the old value, so that the server refuses it after somebody else's change. */
  readonly onSave: (change: { readonly new: PermissionValue; readonly old: PermissionValue }) => Promise<unknown>;
}

/** The holders of a permission: groups and people as chips, saved one at a time. */
export function PermissionSetting(props: PermissionSettingProps) {
  const { of, label, value, onSave } = props;
  const client = useClient();
  const saver = useSaver();
  const bounds = boundsOf(client, of);
  // An older server does not have this permission.
  if (!bounds || value === undefined) return null;
  if (bounds.require_system_group === true) return <OneGroupSetting {...props} value={value} />;
  const nobody = nobodyOf(client);
  const held = holderIds(value, nobody);
  const change = (next: HolderIds) => {
    const changed = valueOf(next, bounds.allow_nobody_group === true ? nobody : undefined);
    if (changed !== undefined && !saver.isBusy) void saveWithUndo(changed);
  };
  const saveWithUndo = async (changed: PermissionValue) => {
    if (await saver.save(() => onSave({ new: changed, old: value })))
      offerUndo(client, t('undo.permission', { name: label }), () => onSave({ new: value, old: changed }));
  };
  const holders = holdersShown(client, held);
  const isLast = holders.length === 1 && bounds.allow_nobody_group !== true;
  const remove = ({ key }: Holder) =>
    change({
      groups: held.groups.filter((id) => key !== `group-${id}`),
      people: held.people.filter((id) => key !== `person-${id}`),
    });
  const add = ({ kind, id }: Choice) =>
    change(kind === 'group' ? { ...held, groups: [...held.groups, id] } : { ...held, people: [...held.people, id] });
  const mayHold = (group: { readonly id: number; readonly name: string; readonly isSystem: boolean }) =>
    group.id !== nobody && !held.groups.includes(group.id) && isAllowed(group.name, group.isSystem, bounds);
  const choices = () => [...groupsToChoose(client, mayHold), ...peopleToChoose(client, new Set(held.people))];
  return (
    <HoldersSetting
      {...props}
      saver={saver}
      pickerLabel={t('permission.addTo', { name: label })}
      holders={holders}
      choices={choices}
      onAdd={add}
      onRemove={isLast ? undefined : remove}
    />
  );
}

/** A permission whose only holder can be one of the groups of roles. */
function OneGroupSetting({
  of,
  label,
  hint,
  value,
  fixedBy,
  onSave,
}: PermissionSettingProps & { readonly value: PermissionValue }) {
  const client = useClient();
  const bounds = boundsOf(client, of) ?? {};
  const choices = groupsToChoose(client, ({ name, isSystem }) => isAllowed(name, isSystem, bounds));
  return (
    <SelectSetting
      label={label}
      hint={hint}
      value={typeof value === 'number' ? String(value) : ''}
      fixedBy={fixedBy}
      options={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
      onSave={(chosen) => onSave({ new: Number(chosen), old: value })}
    />
  );
}

function nobodyOf({ model }: Client): number | undefined {
  return model.facts.get('realm_user_groups')?.find(({ name }) => name === 'role:nobody')?.id;
}

function holdersShown(client: Client, { groups, people }: HolderIds): readonly Holder[] {
  return [
    ...groups.map((id) => ({ key: `group-${id}`, name: groupName(client, id) })),
    ...people.map((id) => ({ key: `person-${id}`, name: personName(client, id) })),
  ];
}
