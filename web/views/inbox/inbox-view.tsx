import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import type { Conversation } from '../../model/index.ts';
import { Homecoming } from '../../ui/homecoming.tsx';
import { Button, EmptyView, LinkButton } from '../../ui/index.ts';
import { keepFocus } from '../../ui/region.tsx';
import { t } from '../../words/deferred.ts';
import { LongList } from '../lists/long-list.tsx';
import { Filters } from '../lists/rows.tsx';
import { markRead } from '../mark-read.ts';
import { openDrawer } from '../shell/drawer.ts';
import { Head, PlainTitle } from '../shell/head.tsx';
import { channelLook, titleOf } from '../shown.ts';
import { channelGroups } from '../sidebar/channel-groups.ts';
import { unreadEntries } from './entries.ts';
import { type InboxFilter, inboxGroups } from './groups.ts';
import { closedGroups, groupChunks, idsIn } from './inbox-group.tsx';

const FILTERS = ['unmuted', 'followed', 'all'] as const;
const filter = signal<InboxFilter>('unmuted');

/** Unread messages by conversation: direct messages, then channels in the sidebar's order. */
export function InboxView() {
  const client = useClient();
  const [query, setQuery] = useState('');
  const entries = unreadEntries(client);
  const groups = useGroups(client, query);
  // Rows disappear when they are read, also a focused one.
  useEffect(() => {
    const main = document.querySelector('main');
    return main ? keepFocus(main) : undefined;
  }, []);
  const closed = closedGroups.value;
  const chunks = useMemo(() => groupChunks(groups, closed), [groups, closed]);
  const tools = groups.length > 0 && (
    <Button small icon="read" label={t('list.readAll')} onPress={() => void markRead(client, idsIn(client, groups))}>
      <span class="wide-only">{t('list.readAll')}</span>
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
          chunks={chunks}
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
    <EmptyView scene={<Homecoming />} title={t('inbox.empty')} text={t('inbox.emptyHint')}>
      <LinkButton icon="clock" href="#recent">
        {t('nav.recentLong')}
      </LinkButton>
    </EmptyView>
  );
}

/** Says that the filters match nothing, with a button to clear them. */
export function Nothing({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyView title={t('list.nothing')} text={t('list.nothingHint')}>
      <Button onPress={onClear}>{t('list.clear')}</Button>
    </EmptyView>
  );
}

function useGroups(client: Client, query: string) {
  const entries = unreadEntries(client);
  const { folders, groups } = channelGroups(client);
  const chosen = filter.value;
  return useMemo(() => {
    const namesOf = (conversation: Conversation) => {
      const channel = 'channelId' in conversation ? channelLook(client, conversation.channelId).name : '';
      return `${titleOf(client, conversation)} ${channel}`;
    };
    const folderIds = folders.map(({ id }) => id);
    return inboxGroups(entries, { sections: groups, folders: folderIds, filter: chosen, query, namesOf });
  }, [client, entries, folders, groups, chosen, query]);
}
