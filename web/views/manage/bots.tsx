import { useState } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import type { Person } from '../../model/index.ts';
import { Avatar, Button, Dialog, Tag } from '../../ui/index.ts';
import { FieldError, Select, TextInput } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { faceOf } from '../shown.ts';
import { useTyped } from '../typed.tsx';
import { KeyShown } from './key-dialog.tsx';
import { FormField } from './form-field.tsx';
import { FormDialog, ListTools, Removal } from './list-page.tsx';
import { holds } from './rights.ts';
import { useSaver } from './saving.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { compareNames } from '../../words/index.ts';

const KINDS = {
  1: 'bots.kind.generic',
  2: 'bots.kind.incoming',
  3: 'bots.kind.outgoing',
  4: 'bots.kind.embedded',
} as const;
const INCOMING = 2;
const OUTGOING = 3;

function kindName(type: number | null): string {
  const found = Object.entries(KINDS).find(([key]) => Number(key) === type);
  return found ? t(found[1]) : '';
}

/** The reader's own bots, or those of everybody. */
export function BotsPage({ isOwn }: { readonly isOwn: boolean }) {
  const client = useClient();
  const { facts, me } = client.model;
  const [isAdding, setAdding] = useState(false);
  const isAdmin = facts.get('is_admin') === true;
  const all = [...client.model.people.table.all]
    .filter(([, { user }]) => user.is_bot && user.is_system_bot !== true)
    .filter(([, { user, isActive }]) => (isOwn ? user.bot_owner_id === me && isActive : true))
    .toSorted(
      ([, a], [, b]) => Number(b.isActive) - Number(a.isActive) || compareNames(a.user.full_name, b.user.full_name),
    );
  const mayAdd =
    holds(client, facts.get('realm_can_create_bots_group')) ||
    holds(client, facts.get('realm_can_create_write_only_bots_group'));
  return (
    <>
      <ListTools
        lede={isOwn ? t('bots.lede') : t('bots.ledeAll')}
        add={t('bots.add')}
        refusal={mayAdd ? undefined : t('bots.mayNotAdd')}
        onAdd={() => setAdding(true)}
      />
      {all.length === 0 && <p class="hint">{t('bots.none')}</p>}
      <ul class={all.length > 0 ? 'rows wide' : undefined}>
        {all.map(([id, person]) => (
          <BotRow key={id} id={id} person={person} mayChange={isAdmin || person.user.bot_owner_id === me} />
        ))}
      </ul>
      {isAdding && <AddBot onClose={() => setAdding(false)} />}
    </>
  );
}

interface BotRowProps {
  readonly id: number;
  readonly person: Person;
  readonly mayChange: boolean;
}

function BotRow({ id, person: { user, isActive }, mayChange }: BotRowProps) {
  const client = useClient();
  const [open, setOpen] = useState<'key' | 'address' | undefined>();
  const close = () => setOpen(undefined);
  const { isBusy, error, save } = useSaver();
  const owner = user.bot_owner_id;
  const ownerName = typeof owner === 'number' ? (client.model.people.table.get(owner)?.user.full_name ?? '') : '';
  const reactivate = () => void save(() => client.api.call('POST', '/users/{user_id}/reactivate', { user_id: id }));
  return (
    <li>
      <Avatar face={faceOf(client, id)} size={32} />
      <span class="grow">
        <b dir="auto">
          {user.full_name} {!isActive && <Tag>{t('people.deactivated')}</Tag>}
        </b>
        <small dir="auto">{[ownerName, user.email, kindName(user.bot_type)].filter(Boolean).join(' · ')}</small>
        {error !== undefined && <FieldError id={`bot-${id}`} text={error} />}
      </span>
      {mayChange && isActive && (
        <span class="row-end">
          {user.bot_type === INCOMING && (
            <Button
              small
              icon="link"
              popup="dialog"
              label={t('webhook.title', { name: user.full_name })}
              onPress={() => setOpen('address')}
            >
              {t('webhook.address')}
            </Button>
          )}
          <Button
            small
            icon="key"
            popup="dialog"
            label={t('bots.keyOf', { name: user.full_name })}
            onPress={() => setOpen('key')}
          >
            {t('bots.key')}
          </Button>
          <Removal
            name={user.full_name}
            act="deactivate"
            hint={t('bots.deactivateHint')}
            onRemove={() => client.api.call('DELETE', '/bots/{bot_id}', { bot_id: id })}
          />
        </span>
      )}
      {mayChange && !isActive && (
        <Button small busy={isBusy} label={t('people.reactivateName', { name: user.full_name })} onPress={reactivate}>
          {t('people.reactivate')}
        </Button>
      )}
      {open === 'key' && <KeyDialog id={id} name={user.full_name} email={user.email} onClose={close} />}
      {open === 'address' && <WebhookDialog id={id} name={user.full_name} onClose={close} />}
    </li>
  );
}

interface KeyDialogProps {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly onClose: () => void;
}

/** A dialog with a bot's key, fetched only when it is opened, and with the file that programs read. */
function KeyDialog({ id, name, email, onClose }: KeyDialogProps) {
  const { api } = useClient();
  const [key, setKey] = useState<string | undefined>();
  const { save, isBusy, error } = useSaver();
  const show = () =>
    void save(async () => setKey((await api.call('GET', '/bots/{bot_id}/api_key', { bot_id: id })).api_key));
  const renew = () =>
    void save(async () =>
      setKey((await api.call('POST', '/bots/{bot_id}/api_key/regenerate', { bot_id: id })).api_key),
    );
  if (key !== undefined)
    return (
      <KeyShown
        title={t('bots.keyOf', { name })}
        label={t('bots.key')}
        hint={t('bots.newKeyHint')}
        email={email}
        value={key}
        isBusy={isBusy}
        error={error}
        onRenew={renew}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title={t('bots.keyOf', { name })}
      onClose={onClose}
      foot={
        <>
          <Button look="primary" busy={isBusy} onPress={show}>
            {t('me.showKey')}
          </Button>
          <Button onPress={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <p class="hint">{t('bots.keyHint')}</p>
      {error !== undefined && <FieldError id="bot-key-error" text={error} />}
    </Dialog>
  );
}

const FORM = 'bot';

function AddBot({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const [full_name, setName] = useTyped(FORM, 'full_name', '');
  const [short_name, setShort] = useTyped(FORM, 'short_name', '');
  const [type, setType] = useTyped(FORM, 'bot_type', '1');
  const [payload_url, setUrl] = useTyped(FORM, 'payload_url', '');
  const { facts } = client.model;
  const isFull = holds(client, facts.get('realm_can_create_bots_group'));
  const options = (isFull ? ([1, 2, 3] as const) : ([2] as const)).map((kind) => ({
    value: String(kind),
    label: t(KINDS[kind]),
  }));
  const chosen = options.some(({ value }) => value === type) ? type : (options[0]?.value ?? '2');
  const send = () =>
    client.api.callAny('POST', '/bots', {
      full_name,
      short_name,
      bot_type: Number(chosen),
      ...(chosen === String(OUTGOING) && { payload_url }),
    });
  return (
    <FormDialog title={t('bots.add')} form={FORM} onSend={send} onClose={onClose}>
      <FormField of="full_name" words={/^Name|name or username/} label={t('bots.name')}>
        {(names) => <TextInput {...names} value={full_name} required maxLength={100} onText={setName} />}
      </FormField>
      <FormField of="short_name" words={/sername already/} label={t('bots.short')} hint={t('bots.shortHint')}>
        {(names) => <TextInput {...names} dir="ltr" value={short_name} required maxLength={60} onText={setShort} />}
      </FormField>
      <FormField of="bot_type" words={/bot type/} label={t('bots.kind')} hint={t('bots.kindHint')}>
        {(names) => <Select {...names} value={chosen} options={options} onChange={setType} />}
      </FormField>
      {chosen === String(OUTGOING) && (
        <FormField of="payload_url" words={/URL|address/i} label={t('bots.url')} hint={t('bots.urlHint')}>
          {(names) => (
            // The server's answer says what is wrong with the address.
            <TextInput {...names} dir="ltr" value={payload_url} required onText={setUrl} />
          )}
        </FormField>
      )}
    </FormDialog>
  );
}
