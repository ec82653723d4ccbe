import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import { keyOf, Policy } from '../../model/index.ts';
import { Button, EmptyView, LinkButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { useMessages } from '../lists/last-words.ts';
import { Filters, ListPage } from '../lists/rows.tsx';
import { Head, PlainTitle } from '../shell/head.tsx';
import { openDrawer } from '../shell/drawer.ts';
import { markRead } from '../mark-read.ts';
import { titleOf } from '../shown.ts';
import { type InboxFilter, type InboxGroup, inboxGroups, type UnreadEntry } from './groups.ts';
import { Group } from './inbox-group.tsx';

/** Rows that are shown before one asks for more. */
const STEP = 100;
const FILTERS = ['unmuted', 'followed', 'all'] as const;
const filter = signal<InboxFilter>('unmuted');

/** What is unread, by conversation: direct messages, then channels as they stand in the sidebar. */
export function InboxView() {
  const client = useClient();
  const [query, setQuery] = useState('');
  const [most, setMost] = useState(STEP);
  const entries = unreadEntries(client);
  const groups = inboxGroups(entries, { ...placesOf(client), filter: filter.value, query });
  const shown = firstRows(groups, most);
  const messages = useMessages(shown.flatMap(({ parts }) => parts.flatMap((part) => part.entries.map(newest))));
  const all = groups.flatMap(({ parts }) => parts.flatMap((part) => part.entries));
  const isMore = all.length > most;
  const tools = all.length > 0 && (
    <Button
      small
      icon="read"
      onPress={() =>
        void markRead(
          client,
          all.flatMap(({ ids }) => ids),
        )
      }
    >
      {t('list.readAll')}
    </Button>
  );
  return (
    <>
      <Head onMenu={openDrawer} tools={tools}>
        <PlainTitle>{t('nav.inbox')}</PlainTitle>
      </Head>
      {entries.length === 0 ? (
        <AllRead />
      ) : (
        <ListPage label={t('nav.inbox')}>
          <Filters
            filters={FILTERS.map((key) => ({ key, label: t(`inbox.${key}`), isOn: filter.value === key }))}
            onFilter={(key) => (filter.value = FILTERS.find((one) => one === key) ?? 'unmuted')}
            query={query}
            onQuery={setQuery}
          />
          {shown.map((group) => (
            <Group key={group.key} group={group} messages={messages} />
          ))}
          {groups.length === 0 && <Nothing onClear={() => ((filter.value = 'all'), setQuery(''))} />}
          {isMore && <Button onPress={() => setMost(most + STEP)}>{t('list.showMore')}</Button>}
        </ListPage>
      )}
    </>
  );
}

function AllRead() {
  return (
    <EmptyView scene title={t('inbox.empty')} text={t('inbox.emptyHint')}>
      <LinkButton icon="clock" href="#recent">
        {t('nav.recentLong')}
      </LinkButton>
    </EmptyView>
  );
}

/** A filter that lets nothing through, with the way out. */
export function Nothing({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyView title={t('list.nothing')} text={t('list.nothingHint')}>
      <Button onPress={onClear}>{t('list.clear')}</Button>
    </EmptyView>
  );
}

const newest = ({ ids }: UnreadEntry) => ids.at(-1) ?? 0;

function unreadEntries(client: Client): readonly UnreadEntry[] {
  const { model } = client;
  void model.policies.version.value;
  return model.unread.conversations.map(({ conversation }) => {
    const key = keyOf(conversation);
    return {
      key,
      conversation,
      title: titleOf(client, conversation),
      ids: model.unread.idsIn(key),
      mentions: model.unread.inConversation(key).mentions,
      isMuted: model.isMuted(conversation),
      isFollowed: model.policies.peek(key) === Policy.followed,
    };
  });
}

function placesOf({ model }: Client) {
  const folders = (model.facts.get('channel_folders') ?? [])
    .toSorted((a, b) => a.order - b.order)
    .map(({ id }) => Number(id));
  const placeOf = (id: number) => {
    const row = model.channels.table.get(id);
    return {
      name: row?.channel.name ?? `#${id}`,
      isPinned: row?.tie === 'subscribed' && row.channel.pin_to_top,
      folderId: row?.channel.folder_id ?? null,
    };
  };
  return { folders, placeOf };
}

/** The groups with so many rows in all. */
function firstRows(groups: readonly InboxGroup[], most: number): readonly InboxGroup[] {
  let left = most;
  return groups.flatMap((group) => {
    const parts = group.parts.flatMap((part) => {
      const entries = part.entries.slice(0, left);
      left -= entries.length;
      return entries.length > 0 ? [{ ...part, entries }] : [];
    });
    return parts.length > 0 ? [{ ...group, parts }] : [];
  });
}
