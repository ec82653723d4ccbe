import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import { Button, Dialog } from '../../ui/index.ts';
import { Checkbox, Field, Select, TextInput } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { useAnswer } from '../answer.ts';
import { Awaited } from './awaited.tsx';
import { CopyField } from './copy-field.tsx';
import { webhookAddress } from './webhook-address.ts';
import { compareNames } from '../../words/index.ts';

type Integration = Awaited<ReturnType<typeof fetchAll>>['integrations'][number];

/** Fetches the integrations, and the bot's key, which the address contains. */
async function fetchAll({ api }: Client, bot_id: number) {
  const [{ integrations }, { api_key }] = await Promise.all([
    api.call('GET', '/integrations', {}),
    api.call('GET', '/bots/{bot_id}/api_key', { bot_id }),
  ]);
  const byTitle = integrations.toSorted((a, b) => compareNames(a.display_name, b.display_name));
  return { integrations: byTitle, key: api_key };
}

interface WebhookDialogProps {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** A dialog that builds the address that a service posts to. */
export function WebhookDialog({ id, name, onClose }: WebhookDialogProps) {
  const client = useClient();
  const answer = useAnswer(() => fetchAll(client, id), [client, id]);
  const { found } = answer;
  const close = <Button onPress={onClose}>{t('common.close')}</Button>;
  return (
    <Dialog title={t('webhook.title', { name })} onClose={onClose} foot={close}>
      <Awaited id="webhook-error" answer={answer} count={3} />
      {found && <AddressForm integrations={found.integrations} apiKey={found.key} />}
    </Dialog>
  );
}

/** Choice of direct messages to the bot's owner instead of a channel. */
const OWNER = '';

/** The reader's channels by name. */
function channelChoices({ model }: Client): readonly { readonly value: string; readonly label: string }[] {
  return [...model.channels.table.all]
    .filter(([, { membership, channel }]) => membership === 'subscribed' && !channel.is_archived)
    .map(([id, { channel }]) => ({ value: String(id), label: `#${channel.name}` }))
    .toSorted((a, b) => compareNames(a.label, b.label));
}

interface AddressFormProps {
  readonly integrations: readonly Integration[];
  readonly apiKey: string;
}

function AddressForm({ integrations, apiKey }: AddressFormProps) {
  const client = useClient();
  const [name, setName] = useState(integrations[0]?.name ?? '');
  const [channel, setChannel] = useState(OWNER);
  const [topic, setTopic] = useState('');
  const [events, setEvents] = useState<readonly string[]>([]);
  const [options, setOptions] = useState<Readonly<Record<string, string>>>({});
  const chosen = integrations.find((one) => one.name === name);
  const choose = (next: string) => {
    setName(next);
    setEvents([]);
    setOptions({});
  };
  const address = webhookAddress({
    origin: location.origin,
    integration: name,
    key: apiKey,
    channel: channel === OWNER ? undefined : channel,
    topic,
    events,
    options,
  });
  return (
    <>
      <Field label={t('webhook.service')}>
        {(names) => (
          <Select
            {...names}
            value={name}
            options={integrations.map((one) => ({ value: one.name, label: one.display_name }))}
            onChange={choose}
          />
        )}
      </Field>
      <Field label={t('webhook.to')}>
        {(names) => (
          <Select
            {...names}
            value={channel}
            options={[{ value: OWNER, label: t('webhook.toOwner') }, ...channelChoices(client)]}
            onChange={setChannel}
          />
        )}
      </Field>
      {channel !== OWNER && (
        <Field label={t('webhook.topic')} hint={t('webhook.topicHint')}>
          {(names) => <TextInput {...names} value={topic} maxLength={60} onText={setTopic} />}
        </Field>
      )}
      {chosen && <Options options={chosen.url_options} values={options} onChange={setOptions} />}
      {chosen?.all_event_types && <Events all={chosen.all_event_types} chosen={events} onChange={setEvents} />}
      <CopyField label={t('webhook.address')} value={address} />
      <p class="hint">
        {t('webhook.keyHint')}{' '}
        <a href={`/integrations/${name}`} target="_blank" rel="noreferrer">
          {t('webhook.guide', { service: chosen?.display_name ?? '' })}
        </a>
      </p>
    </>
  );
}

interface OptionsProps {
  readonly options: Integration['url_options'];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

function Options({ options, values, onChange }: OptionsProps) {
  return options.map(({ key, label, input_type }) => {
    const value = values[key] ?? '';
    const set = (next: string) => onChange({ ...values, [key]: next });
    if (input_type === 'checkbox')
      return (
        <Checkbox key={key} label={label} checked={value === 'true'} onChange={(isOn) => set(isOn ? 'true' : '')} />
      );
    return (
      <Field key={key} label={label}>
        {(names) => <TextInput {...names} dir="ltr" value={value} maxLength={1000} onText={set} />}
      </Field>
    );
  });
}

interface EventsProps {
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** A choice of kinds of events; none means all. */
function Events({ all, chosen, onChange }: EventsProps) {
  const toggle = (event: string, isOn: boolean) =>
    onChange(all.filter((one) => (one === event ? isOn : chosen.includes(one))));
  return (
    <details class="field">
      <summary>
        {chosen.length === 0 ? t('webhook.allEvents') : t('webhook.someEvents', { count: chosen.length })}
      </summary>
      <div class="choice-box">
        {all.map((event) => (
          <Checkbox
            key={event}
            label={event}
            checked={chosen.includes(event)}
            onChange={(isOn) => toggle(event, isOn)}
          />
        ))}
      </div>
    </details>
  );
}
