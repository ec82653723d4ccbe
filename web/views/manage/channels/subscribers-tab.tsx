import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Avatar, Button } from '../../../ui/index.ts';
import { FieldError, SearchInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { faceOf } from '../../shown.ts';
import { Awaited } from '../awaited.tsx';
import { membersOf, ownGroups } from '../groups/group.ts';
import { peopleByName } from '../people-by-name.ts';
import { GroupMark, MemberRows } from '../member-rows.tsx';
import { holdersOf, holds, mayAddSubscribersTo } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import type { ChannelTabProps } from './one-channel.tsx';

/** Most people offered at once. */
const MAX_OFFERED = 6;

/** The subscribers of a channel, with ways to add and remove some. */
export function SubscribersTab({ id, row, fixedBy }: ChannelTabProps) {
  const { channel } = row;
  const client = useClient();
  const [query, setQuery] = useState('');
  // Fetched again whenever the channel changes: each change of subscribers makes a new row.
  const answer = useAnswer(
    async () =>
      (await client.api.call('GET', '/streams/{stream_id}/members', { stream_id: id })).subscribers.map(Number),
    [client, id, row],
  );
  const { found: ids, failure } = answer;
  const mayRemove = fixedBy === undefined || holds(client, channel.can_remove_subscribers_group);
  if (failure !== undefined || !ids) return <Awaited id="subscribers-error" answer={answer} />;
  const named = ids
    .map((one) => faceOf(client, one))
    .filter(({ name }) => name.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase()));
  return (
    <>
      <SettingsSection id="ch-add" title={t('channels.addPeople')}>
        {mayAddSubscribersTo(client, row) ? (
          <AddPeople name={channel.name} known={new Set(ids)} />
        ) : (
          <p class="hint">
            {t('channels.addedBy', {
              name: holdersOf(
                client,
                channel.can_add_subscribers_group,
                channel.can_administer_channel_group,
                client.model.facts.get('realm_can_add_subscribers_group'),
              ),
            })}
          </p>
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
  const add = async (principals: readonly number[]) => {
    const done = await save(() =>
      client.api.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [...principals] }),
    );
    if (done) setQuery('');
  };
  const groups = wanted === '' ? [] : missingFrom(client, known, wanted);
  return (
    <>
      <SearchInput label={t('channels.addWhom')} value={query} onText={setQuery} />
      {wanted !== '' && (
        <ul class="rows">
          {groups.slice(0, MAX_OFFERED).map(({ group, people }) => (
            <Offer
              key={group}
              lead={<GroupMark />}
              name={group}
              fact={t('channels.addCount', { count: people.length })}
              isBusy={isBusy}
              onAdd={() => void add(people)}
            />
          ))}
          {offered.slice(0, MAX_OFFERED).map(({ id }) => {
            const face = faceOf(client, id);
            return (
              <Offer
                key={id}
                lead={<Avatar face={face} size={32} />}
                name={face.name}
                isBusy={isBusy}
                onAdd={() => void add([id])}
              />
            );
          })}
        </ul>
      )}
      {wanted !== '' && offered.length + groups.length === 0 && <p class="hint">{t('people.nobody')}</p>}
      {isSaved && <p role="status">{t('common.saved')}</p>}
      {error !== undefined && <FieldError id="add-error" text={error} />}
    </>
  );
}

/** The groups of a name that have people who are not in a channel yet, with these people. */
function missingFrom(client: Client, known: ReadonlySet<number>, wanted: string) {
  const isMissing = (id: number) => !known.has(id) && client.model.people.table.get(id)?.isActive === true;
  return ownGroups(client)
    .filter(({ name, deactivated }) => !deactivated && name.toLocaleLowerCase().includes(wanted))
    .map((group) => ({ group: group.name, people: [...membersOf(client, group)].filter(isMissing) }))
    .filter(({ people }) => people.length > 0);
}

interface OfferProps {
  readonly lead: ComponentChildren;
  readonly name: string;
  readonly fact?: string;
  readonly isBusy: boolean;
  readonly onAdd: () => void;
}

function Offer({ lead, name, fact, isBusy, onAdd }: OfferProps) {
  return (
    <li>
      {lead}
      <span class="grow">
        <b dir="auto">{name}</b>
        {fact !== undefined && <small>{fact}</small>}
      </span>
      <Button small busy={isBusy} label={t('channels.addName', { name })} onPress={onAdd}>
        {t('settings.add')}
      </Button>
    </li>
  );
}
