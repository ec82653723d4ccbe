import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { conversationHash } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { othersIn, Policy } from '../../model/index.ts';
import { Button, EmptyView, ListSkeleton } from '../../ui/index.ts';
import { dayKey, dayTitle } from '../../words/index.ts';
import { t } from '../../words/deferred.ts';
import { Nothing } from '../inbox/inbox-view.tsx';
import { FeedFailed } from '../feed/empty-feed.tsx';
import { timeOf } from '../inbox/inbox-group.tsx';
import { messagePreview } from '../lists/message-preview.ts';
import { LongList, type ListChunk, inChunks } from '../lists/long-list.tsx';
import { Filters, RecentRow } from '../lists/rows.tsx';
import { markRead } from '../mark-read.ts';
import { openTopicMenu } from '../overlays/open.ts';
import { openDrawer } from '../shell/drawer.ts';
import { Head, PlainTitle } from '../shell/head.tsx';
import { channelLook, faceOf, timeStyle, titleOf, unmarkedName } from '../shown.ts';
import {
  isShown,
  type RecentConversation,
  recentConversations,
  type RecentFacts,
  type RecentFilter,
} from './recent.ts';

const FILTERS = ['unread', 'mine', 'followed', 'direct'] as const;
const filters = signal<ReadonlySet<RecentFilter>>(new Set());
/** Most people whose pictures a row shows. */
const MAX_FACES = 4;
const EVERYTHING: readonly never[] = [];

function toggle(key: string): void {
  const one = FILTERS.find((known) => known === key);
  const next = new Set(filters.peek());
  if (one === undefined) next.clear();
  else if (!next.delete(one)) next.add(one);
  filters.value = next;
}

/** Conversations by newest message, as far back as messages have been fetched. */
export function RecentView() {
  const client = useClient();
  const [query, setQuery] = useState('');
  const { window, messages } = useNewest(client);
  const all = recentConversations(messages);
  const shown = all.filter((one) => isShown(factsOf(client, one), filters.value, query));
  const chips = FILTERS.map((key) => ({ key, label: t(`recent.${key}`), isOn: filters.value.has(key) }));
  const isKnown = window.isKnown.value;
  const isAway = client.sync.connection.value.is === 'away';
  const failure = window.failure.value ?? (isAway ? new Error(t('banner.offline')) : undefined);
  const failed = (error: Error) => (
    <FeedFailed
      failure={error}
      onRetry={() => {
        client.sync.wake();
        void client.messages.open(window, 'newest').catch(() => undefined);
      }}
    />
  );
  return (
    <>
      <Head onMenu={openDrawer}>
        <PlainTitle>{t('nav.recentLong')}</PlainTitle>
      </Head>
      {!isKnown && all.length === 0 && (failure === undefined ? <ListSkeleton /> : failed(failure))}
      {isKnown && all.length === 0 && <EmptyView title={t('recent.empty')} text={t('recent.emptyHint')} />}
      {all.length > 0 && (
        <LongList
          label={t('nav.recentLong')}
          chunks={dayChunks(client, shown)}
          before={
            <Filters
              filters={[{ key: 'all', label: t('recent.all'), isOn: filters.value.size === 0 }, ...chips]}
              onFilter={toggle}
              query={query}
              onQuery={setQuery}
            />
          }
          after={
            <>
              {shown.length === 0 && <Nothing onClear={() => (toggle('all'), setQuery(''))} />}
              {!window.foundOldest.value && (
                <div class="chips">
                  <Button
                    busy={window.isLoading.value}
                    onPress={() => void client.messages.older(window).catch(() => undefined)}
                  >
                    {t('list.showMore')}
                  </Button>
                </div>
              )}
            </>
          }
        />
      )}
    </>
  );
}

/** Returns the window of all messages that the viewer receives, at its newest. */
function useNewest({ messages, sync }: Client) {
  const window = useMemo(() => messages.window(EVERYTHING), [messages]);
  const isKnown = window.isKnown.value;
  const isLive = sync.connection.value.is !== 'away';
  useEffect(() => {
    if (!isKnown && isLive) void messages.open(window, 'newest').catch(() => undefined);
  }, [window, isKnown, isLive]);
  return { window, messages: window.ids.value.flatMap((id) => messages.table.watch(id).value ?? []) };
}

function factsOf(client: Client, { conversation, key, senders }: RecentConversation): RecentFacts {
  const { model } = client;
  return {
    title: titleOf(client, conversation),
    channel: 'channelId' in conversation ? channelLook(client, conversation.channelId).name : '',
    unread: model.unread.inConversation(key).unread,
    isMine: senders.includes(model.me),
    isFollowed: model.policies.get(key) === Policy.followed,
    isDirect: 'people' in conversation,
    isMuted: model.isMuted(conversation, key),
  };
}

/** Groups conversations by the day of their newest message. */
function dayChunks(client: Client, conversations: readonly RecentConversation[]): readonly ListChunk[] {
  const style = timeStyle(client);
  const days = new Map<string, RecentConversation[]>();
  for (const one of conversations) {
    const day = dayKey(one.newest.timestamp, style);
    const own = days.get(day);
    if (own) own.push(one);
    else days.set(day, [one]);
  }
  const now = client.clock.now() / 1000;
  return [...days].flatMap(([day, own]) => [
    {
      key: day,
      draw: () => (
        <div class="box-h">
          <h2>{dayTitle(own[0]?.newest.timestamp ?? now, now, style)}</h2>
        </div>
      ),
    },
    ...inChunks(`${day} rows`, own, (one) => <Row key={one.key} row={one} />),
  ]);
}

function Row({ row }: { readonly row: RecentConversation }) {
  const client = useClient();
  const { conversation, key, newest, senders } = row;
  const { model } = client;
  const { title, unread, isFollowed, isMuted } = factsOf(client, row);
  const isDirect = 'people' in conversation;
  const others = isDirect ? othersIn(conversation, model.me) : [];
  const look = isDirect ? undefined : channelLook(client, conversation.channelId);
  const mentions = model.unread.inConversation(key).mentions;
  return (
    <>
      <RecentRow
        href={conversationHash(conversation, client.names)}
        lead={look ? { channel: look } : { faces: others.map((id) => faceOf(client, id)) }}
        where={look?.name ?? t('list.direct')}
        title={isDirect ? title : unmarkedName(conversation.topic)}
        isUnnamed={!isDirect && conversation.topic === ''}
        last={isDirect ? messagePreview(client, newest) : undefined}
        people={isDirect ? [] : senders.slice(0, MAX_FACES).map((id) => faceOf(client, id))}
        morePeople={isDirect ? 0 : Math.max(0, senders.length - MAX_FACES)}
        unread={unread}
        isForYou={isDirect || mentions > 0}
        isMentioned={!isDirect && mentions > 0}
        isFollowed={isFollowed}
        isMuted={isMuted}
        isResolved={!isDirect && conversation.topic.startsWith('✔ ')}
        time={timeOf(client, newest)}
        onRead={unread > 0 ? () => void markRead(client, model.unread.idsIn(key)) : undefined}
        onMenu={(anchor) => openTopicMenu(conversation, anchor)}
      />
    </>
  );
}
