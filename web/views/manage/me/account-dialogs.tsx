import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { forgetTyped, useTyped } from '../../typed.tsx';
import { KeyShown } from '../key-dialog.tsx';
import { FormField } from '../form-field.tsx';
import { AskDialog } from '../list-page.tsx';
import { useSaver } from '../saving.tsx';

interface DialogProps {
  readonly onClose: () => void;
}

/** A dialog that changes the e-mail address, which takes effect once its owner has confirmed it. */
export function AddressDialog({ onClose }: DialogProps) {
  const { api } = useClient();
  const [email, setEmail] = useTyped('email', 'email', '');
  const { isSaved, save, ...saver } = useSaver();
  const send = async () => {
    await api.call('PATCH', '/settings', { email });
    forgetTyped('email');
  };
  return (
    <AskDialog
      {...saver}
      title={t('me.changeEmail')}
      way={t('me.sendMail')}
      form="email"
      onClose={onClose}
      onSubmit={() => void save(send)}
    >
      <FormField of="email" label={t('me.newEmail')} hint={t('me.newEmailHint')}>
        {(names) => <TextInput {...names} type="email" autoComplete="email" required value={email} onText={setEmail} />}
      </FormField>
      {isSaved && <p role="status">{t('me.mailSent')}</p>}
    </AskDialog>
  );
}

export function PasswordDialog({ onClose }: DialogProps) {
  const { api } = useClient();
  const [old_password, setOld] = useState('');
  const [new_password, setNew] = useState('');
  const { save, ...saver } = useSaver();
  const change = async () => {
    if (await save(() => api.call('PATCH', '/settings', { old_password, new_password }))) onClose();
  };
  return (
    <AskDialog {...saver} title={t('me.changePassword')} onClose={onClose} onSubmit={() => void change()}>
      <PasswordField
        of="old_password"
        words={/^Wrong/}
        label={t('me.oldPassword')}
        kind="current"
        value={old_password}
        onText={setOld}
      />
      <PasswordField
        of="new_password"
        words={/^New password/}
        label={t('me.newPassword')}
        kind="new"
        value={new_password}
        onText={setNew}
      />
    </AskDialog>
  );
}

/** A dialog with the account's key. The server first asks the person to confirm who they are. */
export function KeyDialog({ onClose }: DialogProps) {
  const { api, model } = useClient();
  const [key, setKey] = useState<string | undefined>();
  const { save, ...saver } = useSaver();
  const show = () => void save(async () => setKey((await api.call('POST', '/users/me/api_key', {})).api_key));
  const renew = () =>
    void save(async () => setKey((await api.call('POST', '/users/me/api_key/regenerate', {})).api_key));
  if (key === undefined)
    return (
      <AskDialog {...saver} title={t('me.key')} way={t('me.showKey')} onClose={onClose} onSubmit={show}>
        <p>{t('me.keyHint')}</p>
      </AskDialog>
    );
  return (
    <KeyShown
      {...saver}
      title={t('me.key')}
      label={t('me.key')}
      hint={t('me.newKeyHint')}
      email={model.facts.get('delivery_email') ?? ''}
      value={key}
      onRenew={renew}
      onClose={onClose}
    />
  );
}

interface PasswordFieldProps extends Pick<ComponentProps<typeof FormField>, 'of' | 'words' | 'label'> {
  readonly kind: 'current' | 'new';
  readonly value: string;
  readonly onText: (text: string) => void;
}

function PasswordField({ kind, value, onText, ...field }: PasswordFieldProps) {
  return (
    <FormField {...field}>
      {(names) => (
        <TextInput
          {...names}
          type="password"
          autoComplete={`${kind}-password`}
          required
          value={value}
          onText={onText}
        />
      )}
    </FormField>
  );
}
