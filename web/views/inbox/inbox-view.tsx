import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import { keyOf, Policy } from '../../model/index.ts';
import { Button, EmptyView, LinkButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { LongList } from '../lists/long-list.tsx';
import { Filters } from '../lists/rows.tsx';
import { Head, PlainTitle } from '../shell/head.tsx';
import { openDrawer } from '../shell/drawer.ts';
import { markRead } from '../mark-read.ts';
import { titleOf } from '../shown.ts';
import { type InboxFilter, inboxGroups, type UnreadEntry } from './groups.ts';
import { groupPieces } from './inbox-group.tsx';

const FILTERS = ['unmuted', 'followed', 'all'] as const;
const filter = signal<InboxFilter>('unmuted');

/** What is unread, by conversation: direct messages, then channels as they stand in the sidebar. */
export function InboxView() {
  const client = useClient();
  const [query, setQuery] = useState('');
  const entries = unreadEntries(client);
  const groups = inboxGroups(entries, { ...placesOf(client), filter: filter.value, query });
  const all = groups.flatMap(({ parts }) => parts.flatMap((part) => part.entries));
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
        <LongList
          label={t('nav.inbox')}
          pieces={groupPieces(groups)}
          before={
            <Filters
              filters={FILTERS.map((key) => ({ key, label: t(`inbox.${key}`), isOn: filter.value === key }))}
              onFilter={(key) => (filter.value = FILTERS.find((one) => one === key) ?? 'unmuted')}
              query={query}
              onQuery={setQuery}
            />
          }
          after={groups.length === 0 && <Nothing onClear={() => ((filter.value = 'all'), setQuery(''))} />}
        />
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
