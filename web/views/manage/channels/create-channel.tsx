import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { ChoiceCards } from '../../../settings/index.ts';
import { Button, Checkbox, Dialog, Field, FieldError, TextInput } from '../../../ui/index.ts';
import { t } from '../../../words/managing.ts';
import { holds } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import { PRIVACIES, type Privacy, privacyFields } from './privacy.ts';

/** Makes a channel with oneself in it. */
export function CreateChannel({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const { facts, me } = client.model;
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [privacy, setPrivacy] = useState<Privacy>('public');
  const [isDefault, setDefault] = useState(false);
  const { isBusy, error, save } = useSaver();
  const isAdmin = facts.get('is_admin') === true;
  const allowed = PRIVACIES.filter((one) => holds(client, facts.get(`realm_${one.permission}`)));
  const create = async () => {
    const done = await save(async () => {
      const { id } = await client.api.call('POST', '/channels/create', {
        name,
        description,
        subscribers: [me],
        is_default_stream: isAdmin && isDefault && privacy !== 'private',
        ...privacyFields(privacy),
      });
      location.hash = `#channels/${id}/-/subscribers`;
    });
    if (!done) return;
  };
  return (
    <Dialog
      title={t('channels.new')}
      onClose={onClose}
      onSubmit={() => void create()}
      foot={
        <>
          <Button look="primary" submit busy={isBusy}>
            {t('channels.create')}
          </Button>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      <Field label={t('channels.name')} hint={t('channels.nameHint')}>
        {(names) => <TextInput {...names} value={name} required maxLength={60} onText={setName} />}
      </Field>
      <Field label={t('channels.description')} hint={t('channels.descriptionHint')}>
        {(names) => <TextInput {...names} value={description} onText={setDescription} />}
      </Field>
      <h3 class="label" id="new-privacy">
        {t('channels.privacy')}
      </h3>
      <ChoiceCards
        labelledBy="new-privacy"
        name="new-privacy"
        value={privacy}
        onChange={setPrivacy}
        options={allowed.map(({ key }) => ({
          value: key,
          label: t(`channels.privacy.${key}`),
          hint: t(`channels.privacy.${key}.hint`),
        }))}
      />
      {isAdmin && (
        <Checkbox
          label={t('channels.default')}
          hint={t('channels.defaultHint')}
          checked={isDefault && privacy !== 'private'}
          disabled={privacy === 'private'}
          onChange={setDefault}
        />
      )}
      {error !== undefined && <FieldError id="new-channel-error" text={error} />}
    </Dialog>
  );
}
