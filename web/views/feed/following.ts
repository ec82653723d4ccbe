import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import type { MessageWindow } from '../../messages/index.ts';
import type { OutboxEntry } from '../../sync/index.ts';
import type { VirtualListHandle } from '../../ui/index.ts';
import { InSight } from './in-sight.ts';
import type { FeedItem } from './items.ts';
import { type FeedKind, marksRead } from './kind.ts';
import { fetchOpening, nearOf, opened, type Opening } from './opening.ts';

/**
 * Returns a key of where the list opens, which changes with each jump to an end that had to be fetched, and a function
 * that jumps to the newest message. That resolves once the message is drawn, to whether it is.
 */
export function useJump(
  window: MessageWindow,
  opening: Opening,
  handle: { readonly current: VirtualListHandle | null },
): [string | number | undefined, () => Promise<boolean>] {
  const { messages, clock } = useClient();
  const [jumped, setJumped] = useState<{ readonly window: MessageWindow; readonly at: number }>();
  const whenDrawn = useRef<(() => void)[]>([]);
  useLayoutEffect(() => {
    for (const tell of whenDrawn.current.splice(0)) tell();
  }, [jumped]);
  const isFound = async () => {
    // What it opens with would lead away from its end again.
    await opened(window);
    if (window.foundNewest.peek()) return true;
    return messages.open(window, 'newest').then(
      () => true,
      // Until the reply, and after a failure, the feed stays where it opened.
      () => false,
    );
  };
  const jump = async () => {
    const isKnown = window.foundNewest.peek();
    if (!(await isFound())) return false;
    await new Promise<void>((tell) => {
      if (isKnown && handle.current) return handle.current.scrollToEnd(tell);
      whenDrawn.current.push(tell);
      setJumped({ window, at: clock.now() });
    });
    return true;
  };
  return [jumped?.window === window ? jumped.at : opening.start, jump];
}

/** Calls a function when the viewer sends a message, but not if another tab sent it. */
export function useOwnSends(window: MessageWindow, entries: readonly OutboxEntry[], onSend: () => void): void {
  const at = entries.at(-1)?.createdAt ?? 0;
  const shown = useMemo(() => ({ at }), [window]);
  useEffect(() => {
    if (at <= shown.at) return;
    shown.at = at;
    if (document.hasFocus()) onSend();
  }, [shown, at]);
}

/** Fetches unknown messages when the feed opens, and again after events were missed. */
export function useRefetch(client: Client, window: MessageWindow, opening: Opening): void {
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
export function useCatchUp({ messages }: Client, window: MessageWindow, isAtEnd: boolean): void {
  const isBehind = isAtEnd && window.isKnown.value && !window.foundNewest.value && !window.isLoading.value;
  const mayAsk = isBehind && window.failure.value === undefined;
  useEffect(() => {
    if (mayAsk) void messages.newer(window).catch(() => undefined);
  }, [messages, window, mayAsk]);
}

/**
 * Returns a function that marks messages read after they have been visible for a moment, where the person wants that.
 */
export function useSeen(
  client: Client,
  kind: FeedKind,
): (items: readonly FeedItem[], first: string, last: string) => void {
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
