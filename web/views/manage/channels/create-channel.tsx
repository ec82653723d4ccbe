import { useClient } from '../../../client/index.ts';
import { ChoiceCards } from '../../../settings/index.ts';
import { Checkbox, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { forgetTyped, useTyped } from '../../typed.tsx';
import { FormField } from '../form-field.tsx';
import { AskDialog } from '../list-page.tsx';
import { holds } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import { PRIVACIES, type Privacy, privacyFields } from './privacy.ts';

const FORM = 'channel';

/** A dialog that creates a channel, subscribing the reader. */
export function CreateChannel({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const { facts, me } = client.model;
  const [name, setName] = useTyped(FORM, 'name', '');
  const [description, setDescription] = useTyped(FORM, 'description', '');
  const [typed, setPrivacy] = useTyped<Privacy>(FORM, 'privacy', 'public');
  const [isDefault, setDefault] = useTyped<boolean>(FORM, 'isDefault', false);
  const { save, ...saver } = useSaver();
  const isAdmin = facts.get('is_admin') === true;
  const allowed = PRIVACIES.filter((one) => holds(client, facts.get(`realm_${one.permission}`)));
  const privacy = (allowed.find(({ key }) => key === typed) ?? allowed[0])?.key ?? typed;
  const refusal = allowed.length === 0 ? t('channels.mayNotCreate') : undefined;
  const create = () =>
    void save(async () => {
      const { id } = await client.api.call('POST', '/channels/create', {
        name,
        description,
        subscribers: [me],
        is_default_stream: isAdmin && isDefault && privacy !== 'private',
        ...privacyFields(privacy),
      });
      forgetTyped(FORM);
      location.hash = `#channels/${id}/-/subscribers`;
    });
  return (
    <AskDialog
      {...saver}
      title={t('channels.new')}
      way={t('channels.create')}
      form={FORM}
      refusal={refusal}
      onClose={onClose}
      onSubmit={create}
    >
      {refusal !== undefined && <p class="warn">{refusal}</p>}
      <FormField of="name" words={/^Channel name/} label={t('channels.name')} hint={t('channels.nameHint')}>
        {(names) => <TextInput {...names} value={name} required maxLength={60} onText={setName} />}
      </FormField>
      <FormField of="description" label={t('channels.description')} hint={t('channels.descriptionHint')}>
        {(names) => <TextInput {...names} value={description} onText={setDescription} />}
      </FormField>
      {allowed.length > 0 && (
        <div>
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
        </div>
      )}
      {isAdmin && (
        <Checkbox
          label={t('channels.default')}
          hint={t('channels.defaultHint')}
          checked={isDefault && privacy !== 'private'}
          disabled={privacy === 'private'}
          onChange={setDefault}
        />
      )}
    </AskDialog>
  );
}
