import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { Permission, SettingRow } from '../../../settings/index.ts';
import { Button } from '../../../ui/index.ts';
import { FieldError, Select, TextArea } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useTyped } from '../../typed.tsx';
import { CopyField } from '../copy-field.tsx';
import { type FormFields, meantField } from '../meant-field.ts';
import { Picker } from '../picker.tsx';
import { notInvited } from './not-invited.ts';
import { roleNumber, roleOptions } from '../roles.ts';
import { useSaver } from '../saving.tsx';
import { compareNames } from '../../../words/index.ts';

const DAY = 1440;
/** Minutes for which an invitation can be valid; null: for ever. */
const TIMES = [
  { value: String(DAY), minutes: DAY, days: 1 },
  { value: String(3 * DAY), minutes: 3 * DAY, days: 3 },
  { value: String(10 * DAY), minutes: 10 * DAY, days: 10 },
  { value: String(30 * DAY), minutes: 30 * DAY, days: 30 },
] as const;

/** The parameters whose fields show the server's errors about them. */
const FIELDS: FormFields = new Map([
  ['invitee_emails', /email/i],
  ['stream_ids', /channel/i],
]);

interface InviteFormProps {
  readonly kind: 'link' | 'mail';
  /** Who may invite in this way, if the viewer may not. */
  readonly fixedBy: string | undefined;
  readonly onDone: () => void;
}

/** The terms of an invitation, and the result. Default channels are always included. */
export function InviteForm({ kind, fixedBy, onDone }: InviteFormProps) {
  const client = useClient();
  const [role, setRole] = useState('400');
  const [time, setTime] = useState('14400');
  const [addresses, setAddresses] = useTyped('invite', 'addresses', '');
  const [channels, setChannels] = useState<readonly number[]>([]);
  const [link, setLink] = useState<string | undefined>();
  const { isBusy, isSaved, error, cause, save } = useSaver();
  const meant = meantField(cause, FIELDS, []);
  const isFixed = fixedBy !== undefined;
  /** Leaves only those in the field who were not invited with the others. */
  const keepTheRest = (refusal: unknown) => {
    const rest = notInvited(refusal);
    if (rest !== undefined) {
      setAddresses(rest.join(', '));
      onDone();
    }
    throw refusal;
  };
  const invite = async () => {
    const terms = {
      invite_as: roleNumber(role),
      invite_expires_in_minutes: TIMES.find(({ value }) => value === time)?.minutes ?? null,
      include_realm_default_subscriptions: true,
      stream_ids: channels,
    };
    const done = await save(async () => {
      if (kind === 'link') setLink((await client.api.call('POST', '/invites/multiuse', terms)).invite_link);
      else await client.api.call('POST', '/invites', { ...terms, invitee_emails: addresses }).catch(keepTheRest);
    });
    if (!done) return;
    setAddresses('');
    onDone();
  };
  const mine = client.model.people.table.get(client.model.me)?.user.role ?? 600;
  return (
    <form onSubmit={(event) => (event.preventDefault(), void invite())}>
      {kind === 'mail' && (
        <SettingRow
          label={t('invite.addresses')}
          hint={t('invite.addressesHint')}
          error={meant === 'invitee_emails' ? error : undefined}
        >
          {(names) => (
            <TextArea rows={3} {...names} required disabled={isFixed} value={addresses} onText={setAddresses} />
          )}
        </SettingRow>
      )}
      <SettingRow label={t('invite.role')}>
        {(names) => (
          <Select
            {...names}
            // Nobody can invite to a stronger role than their own.
            options={roleOptions().map((one) => ({ ...one, isOff: Number(one.value) < mine }))}
            value={role}
            disabled={isFixed}
            onChange={setRole}
          />
        )}
      </SettingRow>
      <SettingRow label={t('invite.time')}>
        {(names) => (
          <Select
            {...names}
            options={[
              ...TIMES.map(({ value, days }) => ({ value, label: t('invite.days', { count: days }) })),
              { value: 'never', label: t('invite.forEver') },
            ]}
            value={time}
            disabled={isFixed}
            onChange={setTime}
          />
        )}
      </SettingRow>
      <ChannelsRow
        ids={channels}
        error={meant === 'stream_ids' ? error : undefined}
        isFixed={isFixed}
        onChange={setChannels}
      />
      <div class="row-end">
        <Button
          submit
          look={kind === 'link' ? 'primary' : 'plain'}
          busy={isBusy}
          refusal={isFixed ? t('invite.onlyBy', { name: fixedBy }) : undefined}
        >
          {kind === 'link' ? t('invite.makeLink') : t('invite.send')}
        </Button>
        {isFixed && <span class="hint">{t('invite.onlyBy', { name: fixedBy })}</span>}
        {isSaved && kind === 'mail' && <span role="status">{t('invite.sent')}</span>}
      </div>
      {error !== undefined && meant === undefined && <FieldError id={`invite-${kind}-error`} text={error} />}
      {link !== undefined && <CopyField label={t('invite.newLink')} value={link} />}
    </form>
  );
}

interface ChannelsRowProps {
  readonly ids: readonly number[];
  readonly error: string | undefined;
  readonly isFixed: boolean;
  readonly onChange: (ids: readonly number[]) => void;
}

/** Channels that the invitation subscribes to besides the default ones. */
function ChannelsRow({ ids, error, isFixed, onChange }: ChannelsRowProps) {
  const client = useClient();
  const [anchor, setAnchor] = useState<HTMLElement | undefined>();
  const defaults = new Set((client.model.facts.get('realm_default_streams') ?? []).map(Number));
  const choices = [...client.model.channels.table.all]
    .filter(([id, row]) => !ids.includes(id) && !defaults.has(id) && !row.channel.is_archived)
    .filter(([, row]) => row.membership === 'subscribed' || !row.channel.invite_only)
    .map(([id, { channel }]) => ({ kind: 'channel' as const, id, name: channel.name, hint: '' }))
    .toSorted((a, b) => compareNames(a.name, b.name));
  const nameOf = (id: number) => client.model.channels.table.get(id)?.channel.name ?? `#${id}`;
  return (
    <SettingRow label={t('invite.channels')} hint={t('invite.channelsHint')} error={error}>
      {({ id: element }) => (
        <div id={element}>
          <Permission
            label={t('invite.channels')}
            empty={t('invite.noChannels')}
            holders={ids.map((id) => ({ key: String(id), name: nameOf(id) }))}
            onAdd={isFixed ? undefined : setAnchor}
            onRemove={isFixed ? undefined : ({ key }) => onChange(ids.filter((id) => String(id) !== key))}
          />
          {anchor && (
            <Picker
              label={t('invite.channels')}
              anchor={anchor}
              choices={choices}
              find={t('picker.findChannel')}
              onChoose={({ id }) => (setAnchor(undefined), onChange([...ids, id]))}
              onClose={() => setAnchor(undefined)}
            />
          )}
        </div>
      )}
    </SettingRow>
  );
}
