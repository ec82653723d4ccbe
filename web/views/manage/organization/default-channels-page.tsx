import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { ChannelIcon } from '../../../ui/channel-icon.tsx';
import { Button } from '../../../ui/index.ts';
import { FieldError, Select } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { channelLook } from '../../shown.ts';
import { adminsOnly } from '../list-page.tsx';
import { useSaver } from '../saving.tsx';
import { compareNames } from '../../../words/index.ts';

/** Channels that new people are subscribed to. */
export function DefaultChannelsPage() {
  const client = useClient();
  const { facts, channels } = client.model;
  const { isBusy, isSaved, error, save } = useSaver();
  const ids = (facts.get('realm_default_streams') ?? [])
    .map(Number)
    .toSorted((a, b) => compareNames(channelLook(client, a).name, channelLook(client, b).name));
  const [chosen, setChosen] = useState('');
  const refusal = adminsOnly(facts.get('is_admin'));
  const offered = [...channels.table.all]
    .filter(([id, { channel }]) => !ids.includes(id) && !channel.is_archived && !channel.invite_only)
    .toSorted(([, a], [, b]) => compareNames(a.channel.name, b.channel.name));
  const shown = offered.some(([id]) => String(id) === chosen) ? chosen : String(offered[0]?.[0] ?? '');
  const add = () => void save(() => client.api.call('POST', '/default_streams', { stream_id: Number(shown) }));
  const remove = (stream_id: number) => void save(() => client.api.call('DELETE', '/default_streams', { stream_id }));
  return (
    <>
      <p class="set-lede">{refusal ?? t('defaults.lede')}</p>
      {refusal === undefined && offered.length > 0 && (
        <form class="add-line" onSubmit={(event) => (event.preventDefault(), add())}>
          <Select
            label={t('defaults.channel')}
            value={shown}
            options={offered.map(([id, { channel }]) => ({ value: String(id), label: channel.name }))}
            onChange={setChosen}
          />
          <Button submit busy={isBusy}>
            {t('settings.add')}
          </Button>
          {isSaved && <span role="status">{t('common.saved')}</span>}
        </form>
      )}
      {error !== undefined && <FieldError id="defaults-error" text={error} />}
      {ids.length === 0 && <p class="hint">{t('defaults.none')}</p>}
      <ul class={ids.length > 0 ? 'rows' : undefined}>
        {ids.map((id) => {
          const look = channelLook(client, id);
          return (
            <li key={id}>
              <ChannelIcon channel={look} />
              <b class="grow" dir="auto">
                {look.name}
              </b>
              {refusal === undefined && (
                <Button
                  small
                  look="ghost"
                  busy={isBusy}
                  label={t('common.remove', { name: look.name })}
                  onPress={() => remove(id)}
                >
                  {t('people.remove')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
