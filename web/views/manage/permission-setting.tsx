import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import { type Holder, Permission, SettingRow } from '../../settings/index.ts';
import { t } from '../../words/managing.ts';
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
import { type Choice, groupsToChoose, Picker, peopleToChoose } from './picker.tsx';
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
  const { of, label, hint, value, fixedBy, onSave } = props;
  const client = useClient();
  const { save, error, isSaved, isBusy } = useSaver();
  const [anchor, setAnchor] = useState<HTMLElement | undefined>();
  const bounds = boundsOf(client, of);
  // An older server does not have this permission.
  if (!bounds || value === undefined) return null;
  if (bounds.require_system_group === true) return <OneGroupSetting {...props} value={value} />;
  const nobody = nobodyOf(client);
  const held = holderIds(value, nobody);
  const change = (next: HolderIds) => {
    const changed = valueOf(next, bounds.allow_nobody_group === true ? nobody : undefined);
    setAnchor(undefined);
    if (changed !== undefined && !isBusy) void saveWithUndo(changed);
  };
  const saveWithUndo = async (changed: PermissionValue) => {
    if (await save(() => onSave({ new: changed, old: value })))
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
  const choices = anchor
    ? [
        ...groupsToChoose(
          client,
          (group) =>
            group.id !== nobody && !held.groups.includes(group.id) && isAllowed(group.name, group.isSystem, bounds),
        ),
        ...peopleToChoose(client, new Set(held.people)),
      ]
    : [];
  return (
    <SettingRow
      label={label}
      hint={fixedBy === undefined ? hint : t('manage.onlyBy', { name: fixedBy })}
      error={error}
      saved={isSaved}
    >
      {({ id }) => (
        <div id={id}>
          <Permission
            label={label}
            holders={holders}
            onAdd={fixedBy === undefined ? setAnchor : undefined}
            onRemove={fixedBy === undefined && !isLast ? remove : undefined}
          />
          {anchor && (
            <Picker
              label={t('permission.addTo', { name: label })}
              anchor={anchor}
              choices={choices}
              onChoose={add}
              onClose={() => setAnchor(undefined)}
            />
          )}
        </div>
      )}
    </SettingRow>
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
    ...people.map((id) => ({
      key: `person-${id}`,
      name: client.model.people.table.get(id)?.user.full_name ?? `#${id}`,
    })),
  ];
}
