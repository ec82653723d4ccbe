import { useState } from 'preact/hooks';
import { hashOf } from '../../../addresses/index.ts';
import { type Client, useClient } from '../../../client/index.ts';
import type { Channel } from '../../../model/index.ts';
import { Button, EmptyView, Icon } from '../../../ui/index.ts';
import { t } from '../../../words/deferred.ts';
import { ChannelListRow } from '../../lists/channel-rows.tsx';
import { LongList, inChunks } from '../../lists/long-list.tsx';
import { Filters } from '../../lists/rows.tsx';
import { channelsByName } from '../../overlays/rank.ts';
import { channelLook, firstLine } from '../../shown.ts';
import { ManageHead } from '../page.tsx';
import { mayCreateChannels, mayJoinChannel } from '../rights.ts';
import { useSaver } from '../saving.tsx';
import { CreateChannel } from './create-channel.tsx';

const FILTERS = ['all', 'subscribed', 'available', 'archived'] as const;
type Filter = (typeof FILTERS)[number];

/** All channels that the viewer may see. */
export function AllChannels({ section }: { readonly section: string }) {
  const client = useClient();
  const [query, setQuery] = useState('');
  const filter = FILTERS.find((one) => one === section) ?? 'all';
  const wanted = query.trim().toLocaleLowerCase();
  const shown = channelsByName(client)
    .filter(({ row }) => matches(row, filter, wanted))
    .map(({ id, row }) => [id, row] as const);
  return (
    <>
      <ManageHead title={t('nav.channels')} tools={<NewChannelButton />} />
      <LongList
        label={t('nav.channels')}
        chunks={foldersOf(client, shown).flatMap(({ title, rows: inside }) => [
          ...(title === '' ? [] : [{ key: title, draw: () => <FolderTitle title={title} /> }]),
          ...inChunks(`${title} rows`, inside, ([id, row]) => <Row key={id} id={id} row={row} />),
        ])}
        before={
          <Filters
            filters={FILTERS.map((key) => ({ key, label: t(`channels.filter.${key}`), isOn: key === filter }))}
            onFilter={(key) => (location.hash = `#channels/${key}`)}
            query={query}
            onQuery={setQuery}
            placeholder={t('channels.find')}
          />
        }
        after={
          shown.length === 0 && (
            <EmptyView
              title={t('channels.none')}
              text={t(mayCreateChannels(client) ? 'channels.noneYet' : 'channels.noneHint')}
            />
          )
        }
      />
      {section === 'new' && <CreateChannel onClose={() => (location.hash = '#channels')} />}
    </>
  );
}

function FolderTitle({ title }: { readonly title: string }) {
  return (
    <div class="box-h">
      <h2 dir="auto">{title}</h2>
    </div>
  );
}

/** Opens the dialog; says why not to somebody who may create no channel at all. */
export function NewChannelButton() {
  const client = useClient();
  return (
    <Button
      small
      look="primary"
      icon="plus"
      refusal={mayCreateChannels(client) ? undefined : t('channels.mayNotCreate')}
      onPress={() => (location.hash = '#channels/new')}
    >
      {t('channels.new')}
    </Button>
  );
}

function matches({ membership, channel }: Channel, filter: Filter, wanted: string): boolean {
  if (wanted !== '' && !`${channel.name}\n${channel.description}`.toLocaleLowerCase().includes(wanted)) return false;
  if (filter === 'archived' || channel.is_archived) return filter === 'archived' && channel.is_archived;
  return filter === 'all' || (membership === 'subscribed') === (filter === 'subscribed');
}

type Entry = readonly [number, Channel];

/** Groups channels by folder, those without one last; a single list without titles where there are no folders. */
function foldersOf({ model }: Client, rows: readonly Entry[]) {
  const folders = (model.facts.get('channel_folders') ?? []).map(({ id, name }) => ({ id: Number(id), name }));
  const titled = folders.map(({ id, name }) => ({ title: name, rows: rows.filter(([, row]) => folderOf(row) === id) }));
  const known = new Set(folders.map(({ id }) => id));
  const rest = rows.filter(([, row]) => !known.has(folderOf(row) ?? Number.NaN));
  const used = titled.filter((one) => one.rows.length > 0);
  return [...used, { title: used.length === 0 ? '' : t('channels.noFolder'), rows: rest }].filter(
    (one) => one.rows.length > 0,
  );
}

const folderOf = ({ channel }: Channel) => (channel.folder_id === null ? null : Number(channel.folder_id));

function Row({ id, row }: { readonly id: number; readonly row: Channel }) {
  const client = useClient();
  const { isBusy, error, save } = useSaver();
  const { channel } = row;
  const join = () =>
    void save(() => client.api.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }));
  const membership =
    row.membership === 'subscribed'
      ? ({ kind: 'joined' } as const)
      : mayJoinChannel(client, row) && !channel.is_archived
        ? ({ kind: 'open', onJoin: join, busy: isBusy } as const)
        : ({
            kind: 'closed',
            reason: channel.is_archived ? t('channels.isArchived') : t('channels.byInvitation'),
          } as const);
  const pace = channel.stream_weekly_traffic;
  return (
    <>
      <ChannelListRow
        channel={{
          ...channelLook(client, id),
          href: hashOf({ view: 'channels', section: 'one', id, tab: 'general' }, client.names),
        }}
        description={firstLine(channel)}
        people={channel.subscriber_count}
        pace={pace === null ? undefined : t('channels.pace', { count: pace })}
        membership={membership}
      />
      {error !== undefined && (
        <li class="err" role="alert">
          <Icon name="alert" small />
          <span>{error}</span>
        </li>
      )}
    </>
  );
}
