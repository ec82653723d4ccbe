import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { Button, Checkbox, Field, Select, Tag, TextInput } from '../../../ui/index.ts';
import { t } from '../../../words/managing.ts';
import { choicesIn, fieldDataOf } from '../field-choices.ts';
import { adminsOnly, FormDialog, ListTools, OrderButtons, Removal } from '../list-page.tsx';

type ProfileField = RegisterState['custom_profile_fields'][number];

/** The kinds as the API numbers them. */
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
/** What can be made here; accounts elsewhere are taken from the server's list by other clients. */
const MADE: readonly Kind[] = [1, 2, 3, 4, 5, 6, 8];
const CHOICES = 3;

function kindName(type: number): string {
  const found = Object.entries(KINDS).find(([key]) => Number(key) === type);
  return found ? t(found[1]) : String(type);
}

/** What people say of themselves, beside name and picture. */
export function FieldsPage() {
  const client = useClient();
  const { facts } = client.model;
  const [open, setOpen] = useState<ProfileField | 'new' | undefined>();
  const all = (facts.get('custom_profile_fields') ?? []).toSorted((a, b) => a.order - b.order);
  const ids = all.map(({ id }) => Number(id));
  const refusal = adminsOnly(facts.get('is_admin'));
  return (
    <>
      <ListTools lede={t('fields.lede')} add={t('fields.add')} refusal={refusal} onAdd={() => setOpen('new')} />
      {all.length === 0 && <p class="hint">{t('fields.none')}</p>}
      <ul class={all.length > 0 ? 'rows wide' : undefined}>
        {all.map((one) => (
          <li key={one.id}>
            <span class="grow">
              <b dir="auto">
                {one.name} {one.required && <Tag>{t('fields.required')}</Tag>}
              </b>
              <small dir="auto">
                {kindName(one.type)}
                {one.hint !== '' && ` · ${one.hint}`}
              </small>
            </span>
            {refusal === undefined && (
              <span class="row-end">
                <OrderButtons
                  name={one.name}
                  ids={ids}
                  id={one.id}
                  onOrder={(order) => client.api.callAny('PATCH', '/realm/profile_fields', { order })}
                />
                <Button small look="ghost" label={t('list.editName', { name: one.name })} onPress={() => setOpen(one)}>
                  {t('list.edit')}
                </Button>
                <Removal
                  name={one.name}
                  hint={t('fields.removeHint')}
                  onRemove={() => client.api.call('DELETE', '/realm/profile_fields/{field_id}', { field_id: one.id })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <FieldDialog known={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

interface FieldDialogProps {
  readonly known: ProfileField | undefined;
  readonly onClose: () => void;
}

function FieldDialog({ known, onClose }: FieldDialogProps) {
  const { api } = useClient();
  const [name, setName] = useState(known?.name ?? '');
  const [hint, setHint] = useState(known?.hint ?? '');
  const [type, setType] = useState(known?.type ?? 1);
  const [choices, setChoices] = useState(choicesIn(known?.field_data ?? '').join('\n'));
  const [required, setRequired] = useState(known?.required === true);
  const [editable_by_user, setEditable] = useState(known?.editable_by_user !== false);
  const [display_in_profile_summary, setInSummary] = useState(known?.display_in_profile_summary === true);
  const flags = { required, editable_by_user, display_in_profile_summary };
  const data = type === CHOICES ? { field_data: fieldDataOf(choices, known?.field_data ?? '') } : {};
  const send = () =>
    known
      ? api.callAny('PATCH', '/realm/profile_fields/{field_id}', { field_id: known.id, name, hint, ...flags, ...data })
      : api.callAny('POST', '/realm/profile_fields', { name, hint, field_type: type, ...flags, ...data });
  return (
    <FormDialog
      title={known ? t('fields.change') : t('fields.add')}
      way={known ? t('list.save') : t('fields.add')}
      onSend={send}
      onClose={onClose}
    >
      <Field label={t('fields.name')}>
        {(names) => <TextInput {...names} value={name} required maxLength={40} onText={setName} />}
      </Field>
      <Field label={t('fields.hint')} hint={t('fields.hintHint')}>
        {(names) => <TextInput {...names} value={hint} maxLength={80} onText={setHint} />}
      </Field>
      <Field label={t('fields.kind')}>
        {(names) => (
          <Select
            {...names}
            value={String(type)}
            disabled={known !== undefined}
            options={(known ? [type] : MADE).map((one) => ({ value: String(one), label: kindName(one) }))}
            onChange={(chosen) => setType(Number(chosen))}
          />
        )}
      </Field>
      {type === CHOICES && (
        <Field label={t('fields.choices')} hint={t('fields.choicesHint')}>
          {(names) => (
            <textarea
              {...names}
              class="input"
              dir="auto"
              rows={4}
              required
              value={choices}
              onInput={(event) => setChoices(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <Checkbox label={t('fields.isRequired')} checked={required} onChange={setRequired} />
      <Checkbox label={t('fields.isEditable')} checked={editable_by_user} onChange={setEditable} />
      <Checkbox label={t('fields.inCard')} checked={display_in_profile_summary} onChange={setInSummary} />
    </FormDialog>
  );
}
