import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { conversationHash, hashOf, type Route } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { channelIn, type Message, type MessageWindow } from '../../messages/index.ts';
import { conversationOf, keyOf, Policy } from '../../model/index.ts';
import type { OutboxEntry } from '../../sync/index.ts';
import { Button, Heights, MessageSkeleton, VirtualList, type VirtualListHandle } from '../../ui/index.ts';
import { dayKey, dayTitle, shortDay, t, timeOfDay } from '../../words/index.ts';
import { markRead } from '../mark-read.ts';
import { openTopicMenu } from '../overlays/open.ts';
import { channelLook, faceOf, timeStyle, titleOf, unmarkedName } from '../shown.ts';
import { type FeedItem, feedItems } from './items.ts';
import { Guard } from '../guard.tsx';
import { EmptyFeed, FeedRefused } from './empty-feed.tsx';
import { feedKind, type FeedKind, marksRead } from './kind.ts';
import { DateLine, DirectBar, JumpToNewest, TopicBar, UnreadLine } from './lines.tsx';
import { InSight } from './in-sight.ts';
import { MessageItem } from './message-item.tsx';
import { MessageRow } from './message-row.tsx';
import { FailedNote, PendingNote, Unshowable } from './message-states.tsx';
import { useMissing } from './missing.ts';
import { fetchOpening, nearOf, type Opening, openingOf } from './opening.ts';
import { useUnreadLine } from './unread-line.ts';

type NarrowRoute = Extract<Route, { readonly view: 'narrow' }>;

/** Estimated height of a message before any was shown, in px. */
const ESTIMATE = 56;
/**
 * Most messages of a feed that follows its end, and how many a trimmed one keeps; older ones are fetched again on
 * scrolling.
 */
const [MAX_MESSAGES, AFTER_TRIM] = [5000, 3000];
/** Height shown before the message at which a feed opens, in px, so that one sees what it answers. */
const ROOM = 96;

/** The messages of a narrow: opens at the first unread one, follows its end, and fetches more on scrolling. */
export function Feed({ route }: { readonly route: NarrowRoute }) {
  const client = useClient();
  const { messages, model } = client;
  const window = useMemo(() => messages.window(route.narrow), [messages, route.narrow]);
  const conversation = window.conversation(model.me);
  const opening = useOpening(window, route);
  const handle = useRef<VirtualListHandle>(null);
  const [start, jump] = useJump(window, opening, handle);
  const [unreadFrom, removeLine] = useUnreadLine(client, window, opening.unreadFrom);
  const [isAtEnd, setAtEnd] = useState(true);
  const seenUpTo = useRef(0);
  const ids = window.ids.value;
  useRefetch(client, window, typeof start === 'number' ? AT_END : opening);
  useMissing(client, window, route.near);
  const rows = ids.flatMap((id) => messages.table.watch(id).value ?? []);
  const entries = conversation ? client.outbox.in(keyOf(conversation)) : NO_ENTRIES;
  const style = timeStyle(client);
  const onTheirWay = entries.filter((one) => one.messageId === undefined || !ids.includes(one.messageId));
  const items = feedItems(rows, window.foundNewest.value ? onTheirWay : NO_ENTRIES, {
    hasBars: conversation === undefined,
    dayOf: (timestamp) => dayKey(timestamp, style),
    unreadFrom,
  });
  useCatchUp(client, window, isAtEnd);
  useOwnSends(window, entries, () => {
    removeLine();
    // Without a connection only known messages can be read.
    if (client.sync.connection.peek().is !== 'away') jump();
  });
  useEffect(() => client.reading.resume(), [client, window]);
  useEffect(() => client.earlier.open(window, route.near), [client, window]);
  const seen = useSeen(client, feedKind(route.narrow, model.me));
  const render = useCallback(
    (item: FeedItem) => <Item item={item} near={route.near} window={window} />,
    [route.near, window],
  );
  if (!window.isKnown.value && rows.length === 0 && window.failure.value && !window.isLoading.value)
    return (
      <FeedRefused
        narrow={route.narrow}
        failure={window.failure.value}
        onRetry={() => void fetchOpening(client, window, opening)}
      />
    );
  if (!window.isKnown.value && rows.length === 0)
    return (
      <div class="feed-wrap">
        <MessageSkeleton />
      </div>
    );
  if (items.length === 0 && window.foundOldest.value && window.foundNewest.value)
    return <EmptyFeed narrow={route.narrow} />;
  return (
    <>
      <div class="feed-wrap">
        <VirtualList
          key={window.key + String(start)}
          items={items}
          keyOf={keyOfItem}
          estimate={heightsOf(window)}
          label={t('feed.label')}
          rowsClass="feed"
          handle={handle}
          start={typeof start === 'string' ? start : undefined}
          startRoom={ROOM}
          followsEnd={window.foundNewest.value}
          render={render}
          after={<MarkRead window={window} kind={feedKind(route.narrow, model.me)} />}
          onNearStart={() => void messages.older(window).catch(() => undefined)}
          onNearEnd={() => void messages.newer(window).catch(() => undefined)}
          onShown={(first, last, atEnd) => {
            setAtEnd(atEnd);
            if (atEnd || seenUpTo.current === 0) seenUpTo.current = ids.at(-1) ?? 0;
            seen(items, first, last);
            if (atEnd && items.length > MAX_MESSAGES) window.trim(AFTER_TRIM, 'newest');
          }}
        />
        {!isAtEnd && <JumpToNewest count={ids.filter((id) => id > seenUpTo.current).length} onJump={jump} />}
      </div>
      {isEndAway(client, window) && <Detached entries={onTheirWay} />}
    </>
  );
}

/** Whether the newest messages are unknown and cannot be fetched. */
function isEndAway({ sync }: Client, { foundNewest, failure }: MessageWindow): boolean {
  return !foundNewest.value && (sync.connection.value.is === 'away' || failure.value !== undefined);
}

/** Unsent messages while the messages before them are unknown: at the bottom, outside of the feed. */
function Detached({ entries }: { readonly entries: readonly OutboxEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section class="feed detached" aria-label={t('feed.onTheirWay')} tabIndex={0}>
      <p class="note">{t('feed.afterWhatIsMissing')}</p>
      {entries.map((entry) => (
        <Entry key={entry.localId} entry={entry} />
      ))}
    </section>
  );
}

/** A button at the end of feeds in which reading does not mark messages as read. */
function MarkRead({ window, kind }: { readonly window: MessageWindow; readonly kind: FeedKind }) {
  const client = useClient();
  const { model } = client;
  if (kind === 'search' || marksRead(kind, model.facts.get('user_settings')?.web_mark_read_on_scroll_policy))
    return null;
  const conversation = window.conversation(model.me);
  const unread = conversation ? model.unread.idsIn(keyOf(conversation)) : [];
  if (unread.length === 0) return null;
  return (
    <div class="feed-end">
      <Button small icon="read" onPress={() => void markRead(client, unread)}>
        {t('feed.markRead')}
      </Button>
    </div>
  );
}

/** The opening that is fetched again after somebody jumped to the end. */
const AT_END: Opening = { start: undefined, unreadFrom: undefined };
const NO_ENTRIES: readonly OutboxEntry[] = [];
const keyOfItem = (item: FeedItem) => item.key;

/** Heights of the messages of a window when they were last shown. */
const heights = new WeakMap<MessageWindow, Heights>();
let newestHeights = new Heights(ESTIMATE);

/**
 * Returns the known heights of a window, so that returning to it draws the right rows at once; a new one starts with
 * the average of the last.
 */
function heightsOf(window: MessageWindow): Heights {
  newestHeights = heights.get(window) ?? new Heights(newestHeights.average);
  heights.set(window, newestHeights);
  return newestHeights;
}

/** Returns where the feed opens, determined once per visit. */
function useOpening(window: MessageWindow, { near }: NarrowRoute): Opening {
  const client = useClient();
  return useMemo(() => openingOf(client, window, near), [window, near]);
}

/**
 * Returns a key of where the list opens, which changes with each jump to an end that had to be fetched, and a function
 * that jumps to the newest message.
 */
function useJump(
  window: MessageWindow,
  opening: Opening,
  handle: { readonly current: VirtualListHandle | null },
): [string | number | undefined, () => void] {
  const { messages, clock } = useClient();
  const [jumped, setJumped] = useState<{ readonly window: MessageWindow; readonly at: number }>();
  const jump = () => {
    if (window.foundNewest.peek()) return handle.current?.scrollToEnd();
    void messages.open(window, 'newest').then(
      () => setJumped({ window, at: clock.now() }),
      // Until the reply, and after a failure, the feed stays where it opened.
      () => undefined,
    );
  };
  return [jumped?.window === window ? jumped.at : opening.start, jump];
}

/** Calls a function when the viewer sends a message, but not if another tab sent it. */
function useOwnSends(window: MessageWindow, entries: readonly OutboxEntry[], onSend: () => void): void {
  const at = entries.at(-1)?.createdAt ?? 0;
  const shown = useMemo(() => ({ at }), [window]);
  useEffect(() => {
    if (at <= shown.at) return;
    shown.at = at;
    if (document.hasFocus()) onSend();
  }, [shown, at]);
}

/** Fetches unknown messages when the feed opens, and again after events were missed. */
function useRefetch(client: Client, window: MessageWindow, opening: Opening): void {
  const { sync } = client;
  const isKnown = window.isKnown.value;
  const isLive = sync.connection.value.is !== 'away';
  useEffect(() => {
    const near = nearOf(opening);
    if (!isKnown && isLive) void fetchOpening(client, window, opening);
    else if (near !== undefined) window.look(near);
  }, [window, isKnown, isLive]);
}

/**
 * Fetches messages after the last known one when that is in view and nothing else is loading, but not again after a
 * failure.
 */
function useCatchUp({ messages }: Client, window: MessageWindow, isAtEnd: boolean): void {
  const isBehind = isAtEnd && window.isKnown.value && !window.foundNewest.value && !window.isLoading.value;
  const mayAsk = isBehind && window.failure.value === undefined;
  useEffect(() => {
    if (mayAsk) void messages.newer(window).catch(() => undefined);
  }, [messages, window, mayAsk]);
}

/**
 * Returns a function that marks messages read after they have been visible for a moment, where the person wants that.
 */
function useSeen(client: Client, kind: FeedKind): (items: readonly FeedItem[], first: string, last: string) => void {
  const sight = useMemo(
    () =>
      new InSight({
        clock: client.clock,
        isLookedAt: () => document.hasFocus(),
        seen: (ids) => client.reading.seen(ids),
      }),
    [client],
  );
  useEffect(() => () => sight.leave(), [sight]);
  return (items, first, last) => {
    if (!marksRead(kind, client.model.facts.peek('user_settings')?.web_mark_read_on_scroll_policy)) return;
    const [from, to] = [items.findIndex(({ key }) => key === first), items.findIndex(({ key }) => key === last)];
    sight.show(items.slice(from, to + 1).flatMap((item) => (item.kind === 'message' ? [item.id] : [])));
  };
}

interface ItemProps {
  readonly item: FeedItem;
  readonly near: number | undefined;
  readonly window: MessageWindow;
}

function Item({ item, near, window }: ItemProps) {
  const client = useClient();
  const style = timeStyle(client);
  const now = client.clock.now() / 1000;
  switch (item.kind) {
    case 'day':
      return <DateLine day={dayTitle(item.at, now, style)} />;
    case 'unread':
      return <UnreadLine count={item.count} since={timeOfDay(item.at, style)} />;
    case 'bar':
      return <Bar message={item.message} />;
    case 'message':
      return (
        <Guard of={client.messages.table.get(item.id)} instead={() => <Unshowable id={item.id} />}>
          <MessageItem
            id={item.id}
            isFirst={item.isFirst}
            isTarget={item.id === near}
            match={window.matches.get(item.id)}
          />
        </Guard>
      );
    case 'entry':
      return <Entry entry={item.entry} />;
  }
}

function Bar({ message }: { readonly message: Message }) {
  const client = useClient();
  const conversation = conversationOf(message);
  const href = conversationHash(conversation, client.names);
  const isOneChannel = useIsOneChannel();
  const date = shortDay(message.timestamp, client.clock.now() / 1000, timeStyle(client));
  if ('people' in conversation) return <DirectBar names={titleOf(client, conversation)} href={href} date={date} />;
  const { channelId, topic } = conversation;
  const policy = client.model.policies.get(keyOf(conversation));
  const channelHref = hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: channelId }] }, client.names);
  return (
    <>
      <TopicBar
        channel={{ ...channelLook(client, channelId), href: channelHref }}
        topic={unmarkedName(topic)}
        isUnnamed={topic === ''}
        isResolved={topic.startsWith('✔ ')}
        isFollowed={policy === Policy.followed}
        isMuted={policy === Policy.muted}
        href={href}
        date={date}
        showsChannel={!isOneChannel}
        onMenu={(anchor) => openTopicMenu(conversation, anchor)}
      />
    </>
  );
}

/** Whether the feed is of one channel, whose name is then not repeated. */
function useIsOneChannel(): boolean {
  const there = useClient().route.value;
  return there.view === 'narrow' && there.narrow.length === 1 && channelIn(there.narrow) !== undefined;
}

/** A message of the outbox. */
function Entry({ entry }: { readonly entry: OutboxEntry }) {
  const client = useClient();
  const { outbox, model, drafts, clock } = client;
  const isOld = clock.now() - entry.createdAt > 1000;
  const isOffline = client.sync.connection.value.is === 'away';
  const takeBack = (keep: boolean) =>
    void outbox.discard(entry.localId).then((gone) => {
      if (gone && keep) drafts.insert(gone.conversation, gone.content);
    });
  const style = timeStyle(client);
  const seconds = entry.createdAt / 1000;
  return (
    <MessageRow
      id={entry.localId}
      sender={faceOf(client, model.me)}
      time={{ text: timeOfDay(seconds, style), iso: new Date(entry.createdAt).toISOString(), full: '' }}
      href={conversationHash(entry.conversation, client.names)}
      isFirst
      state={entry.status === 'refused' ? 'failed' : 'pending'}
      foot={
        entry.status === 'refused' ? (
          <FailedNote
            reason={entry.reason ?? ''}
            onRetry={() => void outbox.retry(entry.localId)}
            onEdit={() => takeBack(true)}
            onDiscard={() => takeBack(false)}
          />
        ) : (
          (isOld || isOffline) && (
            <PendingNote
              isOffline={isOffline}
              onTakeBack={entry.status === 'waiting' ? () => takeBack(true) : undefined}
            />
          )
        )
      }
    >
      <p class="as-typed">{entry.content}</p>
    </MessageRow>
  );
}
