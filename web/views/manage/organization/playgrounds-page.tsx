import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useTyped } from '../../typed.tsx';
import { FormField } from '../form-field.tsx';
import { adminsOnly, FormDialog, ListTools, Removal } from '../list-page.tsx';

/** Other sites on which code of a message can be tried out. */
export function PlaygroundsPage() {
  const client = useClient();
  const { facts } = client.model;
  const [isAdding, setAdding] = useState(false);
  const all = facts.get('realm_playgrounds') ?? [];
  const refusal = adminsOnly(facts.get('is_admin'));
  return (
    <>
      <ListTools
        lede={t('playgrounds.lede')}
        add={t('playgrounds.add')}
        refusal={refusal}
        onAdd={() => setAdding(true)}
      />
      {all.length === 0 && <p class="hint">{t('playgrounds.none')}</p>}
      <ul class={all.length > 0 ? 'rows' : undefined}>
        {all.map((one) => (
          <li key={one.id}>
            <span class="grow">
              <b dir="auto">
                {one.name} ({one.pygments_language})
              </b>
              <small dir="ltr">{one.url_template}</small>
            </span>
            {refusal === undefined && (
              <Removal
                name={one.name}
                hint={t('playgrounds.removeHint')}
                onRemove={() =>
                  client.api.call('DELETE', '/realm/playgrounds/{playground_id}', { playground_id: one.id })
                }
              />
            )}
          </li>
        ))}
      </ul>
      {isAdding && <AddPlayground onClose={() => setAdding(false)} />}
    </>
  );
}

const FORM = 'playground';

function AddPlayground({ onClose }: { readonly onClose: () => void }) {
  const { api } = useClient();
  const [name, setName] = useTyped(FORM, 'name', '');
  const [pygments_language, setLanguage] = useTyped(FORM, 'pygments_language', '');
  const [url_template, setTemplate] = useTyped(FORM, 'url_template', '');
  const send = () => api.call('POST', '/realm/playgrounds', { name, pygments_language, url_template });
  return (
    <FormDialog title={t('playgrounds.add')} form={FORM} onSend={send} onClose={onClose}>
      <FormField
        of="pygments_language"
        words={/pygments language/}
        label={t('playgrounds.language')}
        hint={t('playgrounds.languageHint')}
      >
        {(names) => <TextInput {...names} value={pygments_language} required maxLength={40} onText={setLanguage} />}
      </FormField>
      <FormField of="name" words={/already exists/} label={t('playgrounds.name')}>
        {(names) => <TextInput {...names} value={name} required onText={setName} />}
      </FormField>
      <FormField
        of="url_template"
        words={/URL template/}
        label={t('playgrounds.template')}
        hint={t('playgrounds.templateHint', { code: '{code}' })}
      >
        {(names) => (
          <TextInput {...names} class="input mono" dir="ltr" value={url_template} required onText={setTemplate} />
        )}
      </FormField>
    </FormDialog>
  );
}
