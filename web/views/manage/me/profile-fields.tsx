import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { Permission, SettingRow, SettingsSection } from '../../../settings/index.ts';
import { TextInput } from '../../../ui/index.ts';
import { t } from '../../../words/managing.ts';
import { storedIn } from '../field-choices.ts';
import { Picker, peopleToChoose } from '../picker.tsx';
import { SelectSetting, TextSetting, useSaver } from '../saving.tsx';
import { peopleIn } from './people-value.ts';

type ProfileField = RegisterState['custom_profile_fields'][number];

/** The API's numbers of the kinds of fields. */
const Kind = { long: 2, choices: 3, date: 4, people: 6 } as const;
const MAX_SHORT = 50;
const MAX_LONG = 500;

/** The reader's values of the organization's profile fields. */
export function ProfileFields() {
  const { model } = useClient();
  const fields = (model.facts.get('custom_profile_fields') ?? []).toSorted((a, b) => a.order - b.order);
  if (fields.length === 0) return null;
  return (
    <SettingsSection id="me-fields" title={t('me.fields')}>
      {fields.map((field) => (
        <OneField key={field.id} field={field} />
      ))}
    </SettingsSection>
  );
}

function OneField({ field }: { readonly field: ProfileField }) {
  const { model, api } = useClient();
  const data = model.people.table.get(model.me)?.user.profile_data;
  const value = Object.entries(data ?? {}).find(([id]) => Number(id) === field.id)?.[1]?.value ?? '';
  const isAdmin = model.facts.get('is_admin') === true;
  const save = (next: string | readonly number[]) =>
    next.length === 0
      ? api.callAny('DELETE', '/users/me/profile_data', { data: [field.id] })
      : api.callAny('PATCH', '/users/me/profile_data', { data: [{ id: field.id, value: next }] });
  const shared = {
    label: field.name,
    hint: field.hint === '' ? undefined : field.hint,
    value,
    fixedBy: field.editable_by_user || isAdmin ? undefined : t('group.administrators'),
    onSave: save,
  };
  if (field.type === Kind.people) return <PeopleField {...shared} />;
  if (field.type === Kind.date) return <DateField {...shared} />;
  if (field.type === Kind.long) return <TextSetting {...shared} rows={3} maxLength={MAX_LONG} />;
  if (field.type !== Kind.choices) return <TextSetting {...shared} maxLength={MAX_SHORT} />;
  const options = storedIn(field.field_data).map(({ key, text }) => ({ value: key, label: text }));
  return <SelectSetting {...shared} options={[{ value: '', label: t('me.fieldEmpty') }, ...options]} />;
}

interface FieldProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: string;
  readonly fixedBy: string | undefined;
  readonly onSave: (value: string | readonly number[]) => Promise<unknown>;
}

function DateField({ label, hint, value, fixedBy, onSave }: FieldProps) {
  const { save, error, isSaved } = useSaver();
  return (
    <SettingRow
      label={label}
      hint={fixedBy === undefined ? hint : t('manage.onlyBy', { name: fixedBy })}
      error={error}
      saved={isSaved}
    >
      {(names) => (
        <TextInput
          {...names}
          type="date"
          value={value}
          disabled={fixedBy !== undefined}
          onChange={(event) => void save(() => onSave(event.currentTarget.value))}
        />
      )}
    </SettingRow>
  );
}

function PeopleField({ label, hint, value, fixedBy, onSave }: FieldProps) {
  const client = useClient();
  const { save, error, isSaved } = useSaver();
  const [anchor, setAnchor] = useState<HTMLElement | undefined>();
  const ids = peopleIn(value);
  const change = (next: readonly number[]) => {
    setAnchor(undefined);
    void save(() => onSave(next));
  };
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
            holders={ids.map((one) => ({
              key: String(one),
              name: client.model.people.table.get(one)?.user.full_name ?? `#${one}`,
            }))}
            onAdd={fixedBy === undefined ? setAnchor : undefined}
            onRemove={fixedBy === undefined ? ({ key }) => change(ids.filter((one) => String(one) !== key)) : undefined}
          />
          {anchor && (
            <Picker
              label={label}
              anchor={anchor}
              choices={peopleToChoose(client, new Set(ids))}
              onChoose={(choice) => change([...ids, choice.id])}
              onClose={() => setAnchor(undefined)}
            />
          )}
        </div>
      )}
    </SettingRow>
  );
}
