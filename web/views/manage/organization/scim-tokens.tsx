import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Button, Dialog, Icon } from '../../../ui/index.ts';
import { TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { dayOf } from '../../shown.ts';
import { forgetTyped, useTyped } from '../../typed.tsx';
import { Awaited } from '../awaited.tsx';
import { CopyField } from '../copy-field.tsx';
import { FormField } from '../form-field.tsx';
import { AskDialog, Removal } from '../list-page.tsx';
import { useSaver } from '../saving.tsx';

/** Tokens with which directories manage accounts. */
export function ScimTokens() {
  const client = useClient();
  const [isAdding, setAdding] = useState(false);
  const answer = useAnswer(async () => (await client.api.call('GET', '/realm/scim_tokens', {})).scim_tokens, [client]);
  const { found: tokens, again: load } = answer;
  return (
    <SettingsSection id="login-scim" title={t('scim.title')} lede={t('scim.lede')}>
      <Awaited id="scim-error" answer={answer} count={1} />
      {tokens?.length === 0 && <p class="hint">{t('scim.none')}</p>}
      {tokens && tokens.length > 0 && (
        <ul class="rows">
          {tokens.map(({ id, name, works, created_at, last_used_at }) => (
            <li key={id}>
              <Icon name="key" />
              <span class="grow">
                <b dir="auto">{name}</b>
                {!works && <small>{t('scim.ended')}</small>}
                <small>{t('scim.made', { day: dayOf(client, created_at) })}</small>
                <small>
                  {last_used_at === null ? t('scim.unused') : t('scim.used', { day: dayOf(client, last_used_at) })}
                </small>
              </span>
              <Removal
                name={name}
                act="revoke"
                hint={t('scim.revokeHint')}
                onRemove={async () => {
                  await client.api.call('DELETE', '/realm/scim_tokens/{scim_token_id}', { scim_token_id: id });
                  await load();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div class="toolbar">
        <Button icon="key" popup="dialog" onPress={() => setAdding(true)}>
          {t('scim.add')}
        </Button>
      </div>
      {isAdding && <AddToken onMade={() => void load()} onClose={() => setAdding(false)} />}
    </SettingsSection>
  );
}

function AddToken({ onMade, onClose }: { readonly onMade: () => void; readonly onClose: () => void }) {
  const { api } = useClient();
  const [name, setName] = useTyped('scim', 'name', '');
  const [secret, setSecret] = useState<string | undefined>();
  const { save, ...saver } = useSaver();
  const make = () =>
    save(async () => {
      setSecret((await api.call('POST', '/realm/scim_tokens', { name })).secret);
      forgetTyped('scim');
      onMade();
    });
  if (secret !== undefined)
    return (
      <Dialog title={t('scim.add')} onClose={onClose} foot={<Button onPress={onClose}>{t('deviceKeys.kept')}</Button>}>
        <CopyField label={t('scim.token')} value={secret} />
        <CopyField label={t('scim.address')} value={`${location.origin}/scim/v2`} />
        <p class="hint">{t('scim.once')}</p>
      </Dialog>
    );
  return (
    <AskDialog {...saver} title={t('scim.add')} form="scim" onClose={onClose} onSubmit={() => void make()}>
      <FormField of="name" label={t('scim.name')} hint={t('scim.nameHint')}>
        {(names) => <TextInput {...names} required maxLength={100} value={name} onText={setName} autocomplete="off" />}
      </FormField>
    </AskDialog>
  );
}
