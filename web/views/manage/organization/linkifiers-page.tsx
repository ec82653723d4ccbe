import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { Button, Field, TextInput } from '../../../ui/index.ts';
import { t } from '../../../words/managing.ts';
import { adminsOnly, FormDialog, ListTools, OrderButtons, Removal } from '../list-page.tsx';

type Linkifier = RegisterState['realm_linkifiers'][number];

/** Patterns that messages turn into links, in the order in which they are applied. */
export function LinkifiersPage() {
  const client = useClient();
  const { facts } = client.model;
  const [open, setOpen] = useState<Linkifier | 'new' | undefined>();
  const all = facts.get('realm_linkifiers') ?? [];
  const ids = all.map(({ id }) => Number(id));
  const refusal = adminsOnly(facts.get('is_admin'));
  const order = (ordered_linkifier_ids: readonly number[]) =>
    client.api.callAny('PATCH', '/realm/linkifiers', { ordered_linkifier_ids });
  return (
    <>
      <ListTools lede={t('linkifiers.lede')} add={t('linkifiers.add')} refusal={refusal} onAdd={() => setOpen('new')} />
      {all.length === 0 && <p class="hint">{t('linkifiers.none')}</p>}
      <ul class={all.length > 0 ? 'rows wide' : undefined}>
        {all.map((one) => (
          <li key={one.id}>
            <span class="grow">
              <b>
                <code dir="ltr">{one.pattern}</code>
              </b>
              <small dir="ltr">{one.url_template}</small>
            </span>
            {refusal === undefined && (
              <span class="row-end">
                <OrderButtons name={one.pattern} ids={ids} id={one.id} onOrder={order} />
                <Button
                  small
                  look="ghost"
                  label={t('list.editName', { name: one.pattern })}
                  onPress={() => setOpen(one)}
                >
                  {t('list.edit')}
                </Button>
                <Removal
                  name={one.pattern}
                  hint={t('linkifiers.removeHint')}
                  onRemove={() => client.api.call('DELETE', '/realm/filters/{linkifier_id}', { linkifier_id: one.id })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <LinkifierDialog known={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

interface LinkifierDialogProps {
  readonly known: Linkifier | undefined;
  readonly onClose: () => void;
}

function LinkifierDialog({ known, onClose }: LinkifierDialogProps) {
  const { api } = useClient();
  const [pattern, setPattern] = useState(known?.pattern ?? '');
  const [url_template, setTemplate] = useState(known?.url_template ?? '');
  const [example_input, setExample] = useState(known?.example_input ?? '');
  const fields = { pattern, url_template, example_input };
  const send = () =>
    known
      ? api.call('PATCH', '/realm/filters/{linkifier_id}', { linkifier_id: known.id, ...fields })
      : api.call('POST', '/realm/filters', fields);
  return (
    <FormDialog
      title={known ? t('linkifiers.change') : t('linkifiers.add')}
      way={known ? t('list.save') : t('linkifiers.add')}
      onSend={send}
      onClose={onClose}
    >
      <Field label={t('linkifiers.pattern')} hint={t('linkifiers.patternHint')}>
        {(names) => <TextInput {...names} class="input mono" dir="ltr" required value={pattern} onText={setPattern} />}
      </Field>
      <Field label={t('linkifiers.template')} hint={t('linkifiers.templateHint')}>
        {(names) => (
          <TextInput {...names} class="input mono" dir="ltr" required value={url_template} onText={setTemplate} />
        )}
      </Field>
      <Field label={t('linkifiers.example')} hint={t('linkifiers.exampleHint')}>
        {(names) => <TextInput {...names} class="input mono" dir="ltr" value={example_input} onText={setExample} />}
      </Field>
    </FormDialog>
  );
}
