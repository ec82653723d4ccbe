import { batch } from '@preact/signals';
import { type AnyEvent, conversationOf, keyOf, type Model, Policy } from '../model/index.ts';
import { Table } from '../model/table.ts';
import { changed, type Message, messagesIn } from './apply.ts';
import { Journal } from './journal.ts';
import { matches, type Narrow, type NarrowFacts, narrowKey, toWireNarrow } from './narrow.ts';
import type { MessageSource } from './source.ts';
import { MessageWindow } from './window.ts';

/** Where a window opens: at a message, at the newest, or at the first unread one. */
export type Anchor = number | 'newest' | 'first_unread';

/** Messages per fetch, and how many are fetched before and after the first anchor. */
const PAGE = 100;
const AROUND = 50;
/** Newest messages that `refresh` fetches again. */
const LOOKED_AT = 50;
/** Most windows in memory; the least recently used are dropped first. */
const MAX_WINDOWS = 30;
/** Messages in memory of a window that is not in view. */
const MAX_HIDDEN = 200;
/** Messages that may be added before those that no window needs are removed. */
const MAX_ADDED = 1000;

/** IDs above this mean "the newest". */
const NEWEST = 1e15;

/** The messages that the client knows, and the windows on them. */
export class Messages {
  readonly table = new Table<Message>();
  readonly #source: MessageSource;
  readonly #windows = new Map<string, MessageWindow>();
  readonly #journal = new Journal((event) => this.#apply(event));
  /** Number of messages that the last sweep left. */
  #left = 0;
  readonly #facts: NarrowFacts;

  constructor(model: Model, source: MessageSource) {
    this.#source = source;
    this.#facts = {
      get me() {
        return model.me;
      },
      conversationOf,
      isMuted: (conversation) => model.isMuted(conversation),
      isFollowed: (conversation) => model.policies.peek(keyOf(conversation)) === Policy.followed,
    };
  }

  /** Returns the window of a narrow with what is known of it, or a new one. */
  window(narrow: Narrow): MessageWindow {
    const key = narrowKey(narrow);
    const window = this.#windows.get(key) ?? new MessageWindow(narrow);
    this.#windows.delete(key);
    this.#windows.set(key, window);
    for (const [oldest] of this.#windows) {
      if (this.#windows.size <= MAX_WINDOWS) break;
      this.#windows.delete(oldest);
    }
    return window;
  }

  /**
   * Moves a window to an anchor and fetches the messages around it where they are unknown. Returns the message's ID.
   */
  async open(window: MessageWindow, anchor: Anchor): Promise<number> {
    const at = anchor === 'newest' ? Number.POSITIVE_INFINITY : anchor;
    if (typeof at === 'number' && window.look(at)) return at;
    const num_before = anchor === 'newest' ? PAGE : AROUND;
    return this.#fetch(window, String(anchor), { num_before, num_after: anchor === 'newest' ? 0 : AROUND });
  }

  /** Fetches one more page of older messages. Does nothing while the window is loading. */
  async older(window: MessageWindow): Promise<void> {
    const first = window.ids.peek()[0];
    if (first === undefined || !window.isKnown.peek() || window.foundOldest.peek() || window.isLoading.peek()) return;
    await this.#fetch(window, String(first), { num_before: PAGE, num_after: 0 });
  }

  /** Fetches one more page of newer messages. */
  async newer(window: MessageWindow): Promise<void> {
    const last = window.ids.peek().at(-1);
    if (last === undefined || !window.isKnown.peek() || window.foundNewest.peek() || window.isLoading.peek()) return;
    await this.#fetch(window, String(last), { num_before: 0, num_after: PAGE });
  }

  /** Fetches the newest messages of a window again, for visitors, who get no events. Returns whether any were new. */
  async refresh(window: MessageWindow): Promise<boolean> {
    if (!window.foundNewest.peek() || window.isLoading.peek()) return false;
    const query = { narrow: toWireNarrow(window.narrow), anchor: 'newest', num_before: LOOKED_AT, num_after: 0 };
    return this.#journal.run(async () => {
      const found = await this.#source.range(query);
      return () => this.#renew(window, found.messages, found.found_oldest);
    });
  }

  /** Updates the newest messages of a window from a reply; returns whether anything changed. */
  #renew(window: MessageWindow, found: readonly Message[], foundOldest: boolean): boolean {
    const changed = found.filter((one) => JSON.stringify(one) !== JSON.stringify(this.table.peek(one.id)));
    const ids = found.map((message) => Number(message.id));
    const from = foundOldest ? 0 : (ids[0] ?? 0);
    const held = new Set(ids);
    const known = window.ids.peek();
    const gone = new Set(known.filter((id) => id >= from && !held.has(id)));
    if (changed.length === 0 && gone.size === 0) return false;
    this.take(changed);
    window.remove(gone);
    // There may be more messages between the known ones and those in the reply.
    if (from > (known.at(-1) ?? 0)) window.markNewestStale();
    window.add({ ids, anchor: Number.POSITIVE_INFINITY, foundOldest, foundNewest: true });
    return true;
  }

  /** Applies an event; the model must have applied it before. */
  apply(event: AnyEvent): void {
    this.#journal.note(event);
    batch(() => this.#apply(event));
  }

  /** Invalidates all windows, because events were missed. Messages in view stay visible. */
  markStale(): void {
    this.#journal.missed();
    batch(() => {
      for (const window of this.#windows.values()) window.markStale();
    });
  }

  /** Adds messages that were fetched or read from storage. */
  take(messages: readonly Message[]): void {
    batch(() => {
      for (const message of messages) this.table.set(message.id, message);
    });
  }

  /** Fetches messages by their IDs, for lists that show one message of each conversation. Returns the IDs that exist. */
  async fetch(ids: readonly number[]): Promise<readonly number[]> {
    return this.#journal.run(async () => {
      const messages = await this.#source.named(ids);
      return () => {
        this.take(messages);
        return messages.map(({ id }) => Number(id));
      };
    });
  }

  /** Sweeps when a thousand messages were added since the last time. */
  sweepIfMany(looked: MessageWindow): void {
    if (this.table.peekAll().size - this.#left < MAX_ADDED) return;
    this.sweep(looked);
    this.#left = this.table.peekAll().size;
  }

  /**
   * Removes the messages that no window needs. `looked` is the window in view. Lists that show single messages fetch
   * them again, so they should not be in view.
   */
  sweep(looked: MessageWindow | undefined): void {
    const needed = new Set<number>();
    for (const window of this.#windows.values()) {
      if (window !== looked) window.trim(MAX_HIDDEN, 'newest');
      for (const span of window.spans) for (const id of span.ids) needed.add(id);
      for (const id of window.ids.peek()) needed.add(id);
    }
    batch(() => {
      for (const id of this.table.peekAll().keys()) if (!needed.has(id)) this.table.delete(id);
    });
  }

  #apply(event: AnyEvent): void {
    const ids = event.type === 'update_message_flags' && event['all'] === true ? this.#allIds() : messagesIn(event);
    if (ids.length === 0) return;
    if (event.type === 'message') return this.#received(event);
    if (event.type === 'delete_message') return this.#gone(new Set(ids));
    for (const id of ids) {
      const message = this.table.peek(id);
      if (message) this.table.set(id, changed(message, event));
    }
    if (event.type === 'update_message') this.#edited(Number(event['message_id']));
    if (event.type === 'update_message' && event['propagate_mode'] !== undefined) this.#moved(ids);
    if (event.type === 'update_message_flags') this.#flagged(ids, String(event['flag']));
  }

  #allIds(): readonly number[] {
    return [...this.table.peekAll().keys()];
  }

  #received({ message, flags }: AnyEvent): void {
    const received = { ...(message as Message), flags: (flags ?? []) as readonly string[] };
    this.table.set(received.id, received);
    for (const window of this.#windows.values()) this.#place(window, received);
  }

  #place(window: MessageWindow, message: Message): void {
    const belongs = matches(window.narrow, message, this.#facts);
    if (belongs) window.insert(message.id);
    else if (belongs === undefined && window.foundNewest.peek()) void this.#ask(window, [message.id]);
  }

  #gone(ids: ReadonlySet<number>): void {
    for (const window of this.#windows.values()) window.remove(ids);
    for (const id of ids) this.table.delete(id);
  }

  /** Drops highlighted search results of an edited message: they belong to its former text. */
  #edited(id: number): void {
    for (const window of this.#windows.values()) window.matches.delete(id);
  }

  /**
   * Removes moved messages from windows that they no longer belong to, and inserts them into others, which may not know
   * them.
   */
  #moved(ids: readonly number[]): void {
    const unknown = ids.filter((id) => this.table.peek(id) === undefined);
    for (const window of this.#windows.values()) {
      const away = new Set<number>();
      const undecided: number[] = [];
      for (const id of ids) {
        const message = this.table.peek(id);
        if (!message) continue;
        const belongs = matches(window.narrow, message, this.#facts);
        if (belongs) window.insert(id);
        else if (belongs === false) away.add(id);
        else undecided.push(id);
      }
      window.remove(away);
      if (undecided.length > 0) void this.#ask(window, undecided);
    }
    if (unknown.length > 0) void this.#learn(unknown);
  }

  /** Updates windows of starred messages. Messages of other `is:` windows stay in view after they have been read. */
  #flagged(ids: readonly number[], flag: string): void {
    if (flag !== 'starred') return;
    for (const window of this.#windows.values()) {
      if (!window.narrow.some((term) => term.operator === 'is' && term.operand === 'starred')) continue;
      for (const id of ids) {
        const message = this.table.peek(id);
        if (message && matches(window.narrow, message, this.#facts)) window.insert(id);
        else if (message) window.remove(new Set([id]));
      }
    }
  }

  /** Fetches moved messages that are unknown, because they may now belong among those in view. */
  async #learn(ids: readonly number[]): Promise<void> {
    const isNeeded = [...this.#windows.values()].some((window) =>
      window.spans.some((span) => ids.some((id) => span.from <= id && id <= span.to)),
    );
    if (!isNeeded) return;
    await this.#journal
      .run(async () => {
        const messages = await this.#source.named(ids);
        return () => {
          for (const message of messages) {
            this.table.set(message.id, message);
            for (const window of this.#windows.values()) this.#place(window, message);
          }
        };
      })
      .catch(() => this.markStale());
  }

  /** Asks the server which of some messages belong to a window. */
  async #ask(window: MessageWindow, ids: readonly number[]): Promise<void> {
    await this.#journal
      .run(async () => {
        const found = new Set(await this.#source.matching(toWireNarrow(window.narrow), ids));
        return () => {
          for (const id of found) window.insert(id);
          window.remove(new Set(ids.filter((id) => !found.has(id))));
        };
      })
      .catch(() => window.markNewestStale());
  }

  async #fetch(
    window: MessageWindow,
    anchor: string,
    amounts: { readonly num_before: number; readonly num_after: number },
  ): Promise<number> {
    window.isLoading.value = true;
    try {
      return await this.#journal.run(async () => {
        const found = await this.#source.range({ narrow: toWireNarrow(window.narrow), anchor, ...amounts });
        const given = found.anchor ?? Number(anchor);
        const at = Number.isFinite(given) && given < NEWEST ? given : Number.POSITIVE_INFINITY;
        return () => {
          this.take(found.messages);
          for (const { id, match_content } of found.messages)
            if (match_content !== undefined) window.matches.set(id, match_content);
          const ids = found.messages.map((message) => Number(message.id));
          const { found_oldest: foundOldest, found_newest: foundNewest } = found;
          window.add({ ids, anchor: at, foundOldest, foundNewest });
          window.look(at);
          window.failure.value = undefined;
          return at;
        };
      });
    } catch (error) {
      window.failure.value = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      window.isLoading.value = false;
    }
  }
}
