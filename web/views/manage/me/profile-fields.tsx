import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { storedIn } from '../field-choices.ts';
import { HoldersSetting, personName } from '../holders-setting.tsx';
import { peopleToChoose } from '../picker.tsx';
import { SavedRow, SelectSetting, TextSetting, useSaver } from '../saving.tsx';

type ProfileField = RegisterState['custom_profile_fields'][number];

/** The API's numbers of the kinds of fields. */
const Kind = { long: 2, choices: 3, date: 4, people: 6 } as const;
const MAX_SHORT = 50;
const MAX_LONG = 500;

type Value = string | readonly number[];

interface ProfileFieldsProps {
  /** Whose values they are. */
  readonly id: number;
  /** Saves the value of a field; an empty one removes it. */
  readonly onSave: (field: number, value: Value) => Promise<unknown>;
}

/** Somebody's values of the organization's profile fields. */
export function ProfileFields({ id, onSave }: ProfileFieldsProps) {
  const { model } = useClient();
  const fields = (model.facts.get('custom_profile_fields') ?? []).toSorted((a, b) => a.order - b.order);
  if (fields.length === 0) return null;
  return (
    <SettingsSection id="me-fields" title={t(id === model.me ? 'me.fields' : 'me.profile')}>
      {fields.map((field) => (
        <OneField key={field.id} field={field} id={id} onSave={onSave} />
      ))}
    </SettingsSection>
  );
}

function OneField({ field, id: userId, onSave }: ProfileFieldsProps & { readonly field: ProfileField }) {
  const { model } = useClient();
  const data = model.people.table.get(userId)?.user.profile_data;
  const value = Object.entries(data ?? {}).find(([id]) => Number(id) === field.id)?.[1]?.value ?? '';
  const isAdmin = model.facts.get('is_admin') === true;
  const shared = {
    label: field.name,
    hint: field.hint === '' ? undefined : field.hint,
    value,
    fixedBy: isAdmin || (field.editable_by_user && userId === model.me) ? undefined : t('group.administrators'),
    onSave: (next: Value) => onSave(field.id, next),
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
  readonly onSave: (value: Value) => Promise<unknown>;
}

function DateField(props: FieldProps) {
  const saver = useSaver();
  return (
    <SavedRow {...props} saver={saver}>
      {(names) => (
        <TextInput
          {...names}
          type="date"
          value={props.value}
          disabled={props.fixedBy !== undefined}
          onChange={(event) => void saver.save(() => props.onSave(event.currentTarget.value))}
        />
      )}
    </SavedRow>
  );
}

function PeopleField({ value, onSave, ...row }: FieldProps) {
  const client = useClient();
  const saver = useSaver();
  const ids = peopleIn(value);
  const change = (next: readonly number[]) => void saver.save(() => onSave(next));
  return (
    <HoldersSetting
      {...row}
      saver={saver}
      pickerLabel={row.label}
      holders={ids.map((id) => ({ key: String(id), name: personName(client, id) }))}
      choices={() => peopleToChoose(client, new Set(ids))}
      onAdd={({ id }) => change([...ids, id])}
      onRemove={({ key }) => change(ids.filter((id) => String(id) !== key))}
    />
  );
}

/** Returns the people in a profile field's value, a list in JSON; none for anything else. */
export function peopleIn(value: string): readonly number[] {
  if (!/^\[[\d,\s]*\]$/.test(value)) return [];
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.map(Number) : [];
}
