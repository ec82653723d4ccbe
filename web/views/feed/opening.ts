import type { Client } from '../../client/index.ts';
import type { MessageWindow } from '../../messages/index.ts';
import { keyOf } from '../../model/index.ts';

/** Where a feed opens: at the message of the link, at the first unread one, or at its end. */
export interface Opening {
  /** Key of the row at which the feed opens; undefined for its end. */
  readonly start: string | undefined;
  readonly unreadFrom: number | undefined;
}

export function openingOf({ model }: Client, window: MessageWindow, near: number | undefined): Opening {
  const conversation = window.conversation(model.me);
  const [unreadFrom] = conversation ? model.unread.idsIn(keyOf(conversation)) : [];
  if (near !== undefined) return { start: `m${near}`, unreadFrom };
  return { start: unreadFrom === undefined ? undefined : 'unread', unreadFrom };
}

/** Returns the ID of the message of the link. */
export function nearOf({ start }: Opening): number | undefined {
  return start?.startsWith('m') === true ? Number(start.slice(1)) : undefined;
}

/** Windows whose opening is being fetched. */
const underWay = new WeakMap<MessageWindow, Promise<void>>();

/** Resolves when what a feed opens with is no longer being fetched. */
export function opened(window: MessageWindow): Promise<void> {
  return underWay.get(window) ?? Promise.resolve();
}

/**
 * Fetches the messages at which the feed opens, once. A failure is stored in the window, and shown where it has no
 * messages.
 */
export function fetchOpening({ messages }: Client, window: MessageWindow, opening: Opening): Promise<void> {
  const known = underWay.get(window);
  if (known) return known;
  const fetching = messages.open(window, nearOf(opening) ?? opening.unreadFrom ?? 'newest').then(
    () => void underWay.delete(window),
    () => void underWay.delete(window),
  );
  underWay.set(window, fetching);
  return fetching;
}
