import { useState } from 'preact/hooks';
import type { OutputOf } from '../../../api/index.ts';
import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Button, Dialog, Icon } from '../../../ui/index.ts';
import { Select, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { dayOf } from '../../shown.ts';
import { forgetTyped, useTyped } from '../../typed.tsx';
import { Awaited } from '../awaited.tsx';
import { CopyField } from '../copy-field.tsx';
import { FormField } from '../form-field.tsx';
import { AskDialog, Removal } from '../list-page.tsx';
import { useSaver } from '../saving.tsx';

type Key = OutputOf<'GET', '/users/me/api_keys'>['api_keys'][number];
type Kind = Key['kind'];

/** Days until a key expires that are offered. */
const DAYS = ['30', '90', '365', 'never'] as const;

/** Keys of devices and app passwords: each has a name and its last use, and can be revoked. */
export function KeysSection() {
  const client = useClient();
  const [making, setMaking] = useState<Kind | undefined>();
  const answer = useAnswer(async () => (await client.api.call('GET', '/users/me/api_keys', {})).api_keys, [client]);
  const { found: keys, again: load } = answer;
  return (
    <SettingsSection id="acc-keys" title={t('deviceKeys.title')} lede={t('deviceKeys.lede')}>
      <Awaited id="keys-error" answer={answer} count={2} />
      {keys?.length === 0 && <p class="hint">{t('deviceKeys.none')}</p>}
      {keys && keys.length > 0 && (
        <ul class="rows">
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} onDone={load} />
          ))}
        </ul>
      )}
      <div class="toolbar">
        <Button icon="key" popup="dialog" onPress={() => setMaking('device')}>
          {t('deviceKeys.add')}
        </Button>
        <Button icon="lock" popup="dialog" onPress={() => setMaking('app_password')}>
          {t('deviceKeys.addPassword')}
        </Button>
      </div>
      {making && <MakeKey kind={making} onMade={() => void load()} onClose={() => setMaking(undefined)} />}
    </SettingsSection>
  );
}

function KeyRow({ of: key, onDone }: { readonly of: Key; readonly onDone: () => Promise<unknown> }) {
  const client = useClient();
  const facts = [
    t(`deviceKeys.kind.${key.kind}`),
    t(`deviceKeys.scope.${key.scope}`),
    key.ends_at === null ? t('deviceKeys.noEnd') : t('deviceKeys.ends', { day: dayOf(client, key.ends_at) }),
  ];
  const used =
    key.last_used_at === null
      ? t('deviceKeys.unused')
      : t('deviceKeys.used', { day: dayOf(client, key.last_used_at), address: key.last_address ?? '' });
  return (
    <li>
      <Icon name={key.kind === 'device' ? 'key' : 'lock'} />
      <span class="grow">
        <b dir="auto">{key.name}</b>
        <small>{facts.join(' · ')}</small>
        <small>{used}</small>
      </span>
      <Removal
        name={key.name}
        act="revoke"
        hint={t('deviceKeys.revokeHint')}
        onRemove={async () => {
          await client.api.call('DELETE', '/users/me/api_keys/{key_id}', { key_id: key.id });
          await onDone();
        }}
      />
    </li>
  );
}

interface MakeKeyProps {
  readonly kind: Kind;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** A dialog that creates a key with a name and a scope, and shows it this once. */
function MakeKey({ kind, onMade, onClose }: MakeKeyProps) {
  const { api } = useClient();
  const form = `key-${kind}`;
  const [name, setName] = useTyped(form, 'name', '');
  const [scope, setScope] = useTyped<Key['scope']>(form, 'scope', 'all');
  const [days, setDays] = useTyped<(typeof DAYS)[number]>(form, 'days', '365');
  const [secret, setSecret] = useState<string | undefined>();
  const { save, ...saver } = useSaver();
  const title = t(kind === 'device' ? 'deviceKeys.add' : 'deviceKeys.addPassword');
  const make = () =>
    save(async () => {
      const wanted = { name, key_kind: kind, scope, days: days === 'never' ? null : Number(days) };
      setSecret((await api.call('POST', '/users/me/api_keys', wanted)).secret);
      forgetTyped(form);
      onMade();
    });
  if (secret !== undefined)
    return (
      <Dialog title={title} onClose={onClose} foot={<Button onPress={onClose}>{t('deviceKeys.kept')}</Button>}>
        <CopyField label={t(`deviceKeys.kind.${kind}`)} value={secret} />
        <p class="hint">{t(kind === 'device' ? 'deviceKeys.once' : 'deviceKeys.passwordOnce')}</p>
      </Dialog>
    );
  return (
    <AskDialog {...saver} title={title} way={title} form={form} onClose={onClose} onSubmit={() => void make()}>
      <FormField of="name" label={t('deviceKeys.name')} hint={t('deviceKeys.nameHint')}>
        {(names) => <TextInput {...names} required maxLength={60} value={name} onText={setName} autocomplete="off" />}
      </FormField>
      <FormField of="scope" label={t('deviceKeys.scope')} hint={t('deviceKeys.scopeHint')}>
        {(names) => (
          <Select
            {...names}
            value={scope}
            options={(['all', 'read'] as const).map((value) => ({ value, label: t(`deviceKeys.scope.${value}`) }))}
            onChange={setScope}
          />
        )}
      </FormField>
      <FormField of="days" label={t('deviceKeys.days')}>
        {(names) => (
          <Select
            {...names}
            value={days}
            options={DAYS.map((value) => ({ value, label: t(`deviceKeys.days.${value}`) }))}
            onChange={setDays}
          />
        )}
      </FormField>
    </AskDialog>
  );
}
