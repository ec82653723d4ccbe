import { useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Avatar, Button, FieldError, SearchInput } from '../../../ui/index.ts';
import { t } from '../../../words/managing.ts';
import { useAnswer } from '../../answer.ts';
import { faceOf } from '../../shown.ts';
import { Awaited } from '../awaited.tsx';
import { peopleByName } from '../people-by-name.ts';
import { MemberRows } from '../member-rows.tsx';
import { holdersOf, holds } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import type { ChannelTabProps } from './one-channel.tsx';

/** Most people offered at once. */
const MAX_OFFERED = 6;

/** The subscribers of a channel, with ways to add and remove some. */
export function SubscribersTab({ id, row: { channel, tie }, fixedBy }: ChannelTabProps) {
  const client = useClient();
  const [query, setQuery] = useState('');
  // Fetched again whenever the number of subscribers changes.
  const answer = useAnswer(
    async () =>
      (await client.api.call('GET', '/streams/{stream_id}/members', { stream_id: id })).subscribers.map(Number),
    [client, id, channel.subscriber_count, tie],
  );
  const { found: ids, failure } = answer;
  const { facts } = client.model;
  const mayAdd =
    holds(client, channel.can_add_subscribers_group) ||
    fixedBy === undefined ||
    holds(client, facts.get('realm_can_add_subscribers_group'));
  const mayRemove = fixedBy === undefined || holds(client, channel.can_remove_subscribers_group);
  if (failure !== undefined || !ids) return <Awaited id="subscribers-error" answer={answer} />;
  const named = ids
    .map((one) => faceOf(client, one))
    .filter(({ name }) => name.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase()));
  return (
    <>
      <SettingsSection id="ch-add" title={t('channels.addPeople')}>
        {mayAdd ? (
          <AddPeople name={channel.name} known={new Set(ids)} />
        ) : (
          <p class="hint">{t('manage.onlyBy', { name: holdersOf(client, channel.can_add_subscribers_group) })}</p>
        )}
      </SettingsSection>
      <SettingsSection id="ch-people" title={t('channels.people')}>
        <SearchInput label={t('people.find')} value={query} onText={setQuery} />
        <MemberRows
          people={named}
          onRemove={
            mayRemove
              ? (one) =>
                  client.api.call('DELETE', '/users/me/subscriptions', {
                    subscriptions: [channel.name],
                    principals: [one],
                  })
              : undefined
          }
        />
        {!mayRemove && (
          <p class="hint">
            {t('channels.removedBy', { name: holdersOf(client, channel.can_remove_subscribers_group) })}
          </p>
        )}
      </SettingsSection>
    </>
  );
}

function AddPeople({ name, known }: { readonly name: string; readonly known: ReadonlySet<number> }) {
  const client = useClient();
  const [query, setQuery] = useState('');
  const { isSaved, isBusy, error, save } = useSaver();
  const wanted = query.trim().toLocaleLowerCase();
  const offered = peopleByName(client).filter(
    ({ id, person: { user, isActive }, words }) =>
      isActive && user.is_system_bot !== true && !known.has(id) && words.includes(wanted),
  );
  const add = async (id: number) => {
    const done = await save(() =>
      client.api.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [id] }),
    );
    if (done) setQuery('');
  };
  return (
    <>
      <SearchInput label={t('channels.addWhom')} value={query} onText={setQuery} />
      {wanted !== '' && (
        <ul class="rows">
          {offered.slice(0, MAX_OFFERED).map(({ id }) => {
            const face = faceOf(client, id);
            return (
              <li key={id}>
                <Avatar face={face} size={32} />
                <b class="grow" dir="auto">
                  {face.name}
                </b>
                <Button
                  small
                  busy={isBusy}
                  label={t('channels.addName', { name: face.name })}
                  onPress={() => void add(id)}
                >
                  {t('settings.add')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {wanted !== '' && offered.length === 0 && <p class="hint">{t('people.nobody')}</p>}
      {isSaved && <p role="status">{t('common.saved')}</p>}
      {error !== undefined && <FieldError id="add-error" text={error} />}
    </>
  );
}
