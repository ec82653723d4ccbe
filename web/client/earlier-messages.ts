import { effect } from '@preact/signals';
import type { Clock } from '../api/index.ts';
import type { Message, Messages, MessageWindow } from '../messages/index.ts';
import { keyOf, type Model } from '../model/index.ts';
import type { AccountStorage } from '../sync/index.ts';

/** Most messages of a narrow that are stored, the newest. */
const MOST = 60;
/** Milliseconds without a change before they are stored. */
const REST_MS = 1500;

interface EarlierOptions {
  readonly storage: AccountStorage;
  readonly clock: Clock;
  readonly model: Model;
  readonly messages: Messages;
  /** Whether the session is over; nothing may be stored then. */
  readonly isOver: () => boolean;
}

/**
 * Stores the newest messages of conversations and feeds, so that a later visit paints them before the server has
 * answered.
 */
export class EarlierMessages {
  readonly #options: EarlierOptions;

  constructor(options: EarlierOptions) {
    this.#options = options;
  }

  /** Shows the stored messages of a narrow and stores new ones. Returns a function that stops storing. */
  open(window: MessageWindow, near: number | undefined): () => void {
    if (!isLasting(window)) return () => undefined;
    void this.show(window, near);
    return this.#keep(window);
  }

  /**
   * Shows the stored messages of a narrow if none are known. Never fails: they are only a preview until the server
   * replies.
   */
  async show(window: MessageWindow, near: number | undefined): Promise<void> {
    const { storage, messages, model } = this.#options;
    if (!isLasting(window) || !isEmpty(window)) return;
    const found = await storage.messagesOf(window.key).catch(() => undefined);
    if (!found || !isEmpty(window)) return;
    const ids = found.messages.map((message) => Number(message.id));
    const conversation = window.conversation(model.me);
    const begin = near ?? (conversation && model.unread.idsIn(keyOf(conversation))[0]);
    // The message at which the view opens must be among them, or the view would jump later.
    if (begin !== undefined && !ids.includes(begin)) return;
    messages.take(
      found.messages
        .filter(({ id }) => messages.table.peek(id) === undefined)
        .map((message) => withFlags(message, model)),
    );
    window.showStored(ids);
  }

  #keep(window: MessageWindow): () => void {
    const { clock } = this.#options;
    let rest = new AbortController();
    const stop = effect(() => {
      if (!window.foundNewest.value || window.ids.value.length === 0) return;
      rest.abort();
      rest = new AbortController();
      const { signal } = rest;
      void clock.sleep(REST_MS, signal).then(() => signal.aborted || this.#save(window));
    });
    return () => {
      stop();
      rest.abort();
      if (window.foundNewest.peek()) this.#save(window);
    };
  }

  #save(window: MessageWindow): void {
    const { storage, clock, messages, isOver } = this.#options;
    if (isOver()) return;
    const all = window.ids.peek();
    const newest = all.slice(-MOST).flatMap((id) => messages.table.peek(id) ?? []);
    if (newest.length === 0) return;
    const foundOldest = window.foundOldest.peek() && all.length <= MOST;
    storage.saveMessages({ key: window.key, messages: newest, foundOldest, at: clock.now() }).catch(() => undefined);
  }
}

/** Whether the narrow can be decided from the messages alone, and does not depend on reading or starring. */
function isLasting({ isLocal, narrow }: MessageWindow): boolean {
  return isLocal && narrow.every(({ operator }) => operator !== 'is');
}

function isEmpty(window: MessageWindow): boolean {
  return !window.isKnown.peek() && window.ids.peek().length === 0;
}

/** Sets the flags for read and starred from the state, which is newer than the stored message. */
function withFlags(message: Message, { unread, starred }: Model): Message {
  const others = message.flags.filter((flag) => flag !== 'read' && flag !== 'starred');
  const read = unread.has(message.id) ? [] : ['read'];
  return { ...message, flags: [...others, ...read, ...(starred.peek().has(message.id) ? ['starred'] : [])] };
}
