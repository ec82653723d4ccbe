import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Route } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import type { MessageWindow } from '../../messages/index.ts';
import { keyOf } from '../../model/index.ts';
import type { OutboxEntry } from '../../sync/index.ts';
import { Button, Heights, MessageSkeleton, VirtualList, type VirtualListHandle } from '../../ui/index.ts';
import { dayKey, t } from '../../words/index.ts';
import { markRead } from '../mark-read.ts';
import { timeStyle } from '../shown.ts';
import { EmptyFeed, FeedRefused } from './empty-feed.tsx';
import { useEnd } from './end.ts';
import { FeedRow } from './feed-row.tsx';
import { useCatchUp, useJump, useOwnSends, useRefetch, useSeen } from './following.ts';
import { type FeedItem, feedItems } from './items.ts';
import { feedKind, type FeedKind, marksRead } from './kind.ts';
import { JumpToNewest } from './lines.tsx';
import { useMissing } from './missing.ts';
import { fetchOpening, type Opening, openingOf } from './opening.ts';
import { DetachedOutbox } from './outbox-row.tsx';
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
  useEnd(jump);
  useOwnSends(window, entries, () => {
    removeLine();
    // Without a connection only known messages can be read.
    if (client.sync.connection.peek().is !== 'away') void jump();
  });
  useEffect(() => client.reading.resume(), [client, window]);
  useEffect(() => client.earlier.open(window, route.near), [client, window]);
  const seen = useSeen(client, feedKind(route.narrow, model.me));
  const render = useCallback(
    (item: FeedItem) => <FeedRow item={item} near={route.near} window={window} />,
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
        {!isAtEnd && (
          <JumpToNewest count={ids.filter((id) => id > seenUpTo.current).length} onJump={() => void jump()} />
        )}
      </div>
      {isEndAway(client, window) && <DetachedOutbox entries={onTheirWay} />}
    </>
  );
}

/** Whether the newest messages are unknown and cannot be fetched. */
function isEndAway({ sync }: Client, { foundNewest, failure }: MessageWindow): boolean {
  return !foundNewest.value && (sync.connection.value.is === 'away' || failure.value !== undefined);
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
