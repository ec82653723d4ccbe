import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { Tag } from '../../../ui/index.ts';
import { Checkbox, Select, TextArea, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useTyped } from '../../typed.tsx';
import { choicesIn, fieldDataOf } from '../field-choices.ts';
import { FormField } from '../form-field.tsx';
import { type ItemDialogProps, ItemForm, OrderedList } from './ordered-list.tsx';

type ProfileField = RegisterState['custom_profile_fields'][number];

/** The API's numbers of the kinds of fields. */
const KINDS = {
  1: 'fields.kind.short',
  2: 'fields.kind.long',
  3: 'fields.kind.list',
  4: 'fields.kind.date',
  5: 'fields.kind.link',
  6: 'fields.kind.people',
  7: 'fields.kind.external',
  8: 'fields.kind.pronouns',
} as const;
type Kind = keyof typeof KINDS;
/** Kinds that can be created here. External accounts are missing: other clients create them from the server's list. */
const MADE: readonly Kind[] = [1, 2, 3, 4, 5, 6, 8];
const CHOICES = 3;

function kindName(type: number): string {
  const found = Object.entries(KINDS).find(([key]) => Number(key) === type);
  return found ? t(found[1]) : String(type);
}

/** The organization's profile fields. */
export function FieldsPage() {
  const { api, model } = useClient();
  const all = (model.facts.get('custom_profile_fields') ?? []).toSorted((a, b) => a.order - b.order);
  return (
    <OrderedList
      words="fields"
      items={all}
      nameOf={({ name }) => name}
      row={(one) => (
        <span class="grow">
          <b dir="auto">
            {one.name} {one.required && <Tag>{t('fields.required')}</Tag>}
          </b>
          <small dir="auto">
            {kindName(one.type)}
            {one.hint !== '' && ` · ${one.hint}`}
          </small>
        </span>
      )}
      onOrder={(order) => api.callAny('PATCH', '/realm/profile_fields', { order })}
      removal={({ id }) => ({
        hint: t('fields.removeHint'),
        onRemove: () => api.call('DELETE', '/realm/profile_fields/{field_id}', { field_id: id }),
      })}
      Dialog={FieldDialog}
    />
  );
}

function FieldDialog({ known, onClose }: ItemDialogProps<ProfileField>) {
  const { api } = useClient();
  const form = `field-${known?.id ?? 'new'}`;
  const [name, setName] = useTyped(form, 'name', known?.name ?? '');
  const [hint, setHint] = useTyped(form, 'hint', known?.hint ?? '');
  const [type, setType] = useTyped(form, 'field_type', known?.type ?? 1);
  const [choices, setChoices] = useTyped(form, 'field_data', choicesIn(known?.field_data ?? '').join('\n'));
  const [required, setRequired] = useTyped(form, 'required', known?.required === true);
  const [editable_by_user, setEditable] = useTyped(form, 'editable', known?.editable_by_user !== false);
  const [display_in_profile_summary, setInSummary] = useTyped(
    form,
    'inSummary',
    known?.display_in_profile_summary === true,
  );
  const flags = { required, editable_by_user, display_in_profile_summary };
  const data = type === CHOICES ? { field_data: fieldDataOf(choices, known?.field_data ?? '') } : {};
  const send = () =>
    known
      ? api.callAny('PATCH', '/realm/profile_fields/{field_id}', { field_id: known.id, name, hint, ...flags, ...data })
      : api.callAny('POST', '/realm/profile_fields', { name, hint, field_type: type, ...flags, ...data });
  return (
    <ItemForm words="fields" isNew={known === undefined} form={form} onSend={send} onClose={onClose}>
      <FormField of="name" words={/label/i} label={t('fields.name')}>
        {(names) => <TextInput {...names} value={name} required maxLength={40} onText={setName} />}
      </FormField>
      <FormField of="hint" label={t('fields.hint')} hint={t('fields.hintHint')}>
        {(names) => <TextInput {...names} value={hint} maxLength={80} onText={setHint} />}
      </FormField>
      <FormField of="field_type" label={t('fields.kind')}>
        {(names) => (
          <Select
            {...names}
            value={String(type)}
            disabled={known !== undefined}
            options={(known ? [type] : MADE).map((one) => ({ value: String(one), label: kindName(one) }))}
            onChange={(chosen) => setType(Number(chosen))}
          />
        )}
      </FormField>
      {type === CHOICES && (
        <FormField of="field_data" words={/choice|value/} label={t('fields.choices')} hint={t('fields.choicesHint')}>
          {(names) => <TextArea {...names} rows={4} required value={choices} onText={setChoices} />}
        </FormField>
      )}
      <Checkbox label={t('fields.isRequired')} checked={required} onChange={setRequired} />
      <Checkbox label={t('fields.isEditable')} checked={editable_by_user} onChange={setEditable} />
      <Checkbox label={t('fields.inCard')} checked={display_in_profile_summary} onChange={setInSummary} />
    </ItemForm>
  );
}
