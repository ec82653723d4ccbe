import { batch } from '@preact/signals';
import { type AnyEvent, conversationOf, keyOf, type Model, Policy } from '../model/index.ts';
import { Table } from '../model/table.ts';
import { changed, type Message, messagesIn } from './apply.ts';
import { matches, type Narrow, type NarrowFacts, narrowKey, toWireNarrow } from './narrow.ts';
import { MessageWindow } from './window.ts';

/** Where to look: a message, the newest, or where unread begins. */
export type Anchor = number | 'newest' | 'first_unread';

/** What the server is asked for, and what it answers; `GET /messages` in short. */
export interface MessageSource {
  range(query: {
    readonly narrow: readonly object[];
    readonly anchor: string;
    readonly num_before: number;
    readonly num_after: number;
  }): Promise<{
    readonly messages: readonly Message[];
    readonly anchor?: number | undefined;
    readonly found_oldest: boolean;
    readonly found_newest: boolean;
  }>;
  named(ids: readonly number[]): Promise<readonly Message[]>;
  /** Those of some messages that a narrow lets through. */
  matching(narrow: readonly object[], ids: readonly number[]): Promise<readonly number[]>;
}

/** Messages of one fetch, and how many lie before and after a first anchor. */
const PAGE = 100;
const AROUND = 50;
/** Newest messages that are looked at again. */
const LOOKED_AT = 50;
/** Narrows whose messages are kept, the newest first. */
const MAX_WINDOWS = 30;
/** Messages of a window that is not looked at any more. */
const KEPT = 200;

/** IDs above this mean "the newest". */
const NEWEST = 1e15;

/** The messages that the client knows, and the windows that look at them. */
export class Messages {
  readonly table = new Table<Message>();
  readonly #source: MessageSource;
  readonly #windows = new Map<string, MessageWindow>();
  /** Events since the first of the fetches that are under way began: what comes back may be older than they. */
  readonly #journal: AnyEvent[] = [];
  #fetching = 0;
  /** How often everything became doubtful. */
  #epoch = 0;
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

  /** The window of a narrow, with what is known of it already. */
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

  /** Looks at a place of a window, and fetches what lies around it where that is not known. Returns the message. */
  async open(window: MessageWindow, anchor: Anchor): Promise<number> {
    const at = anchor === 'newest' ? Number.POSITIVE_INFINITY : anchor;
    if (typeof at === 'number' && window.look(at)) return at;
    const num_before = anchor === 'newest' ? PAGE : AROUND;
    return this.#fetch(window, String(anchor), { num_before, num_after: anchor === 'newest' ? 0 : AROUND });
  }

  /** One more page of older messages. Does nothing while one is under way. */
  async older(window: MessageWindow): Promise<void> {
    const first = window.ids.peek()[0];
    if (first === undefined || !window.isKnown.peek() || window.foundOldest.peek() || window.isLoading.peek()) return;
    await this.#fetch(window, String(first), { num_before: PAGE, num_after: 0 });
  }

  /** One more page of newer messages. */
  async newer(window: MessageWindow): Promise<void> {
    const last = window.ids.peek().at(-1);
    if (last === undefined || !window.isKnown.peek() || window.foundNewest.peek() || window.isLoading.peek()) return;
    await this.#fetch(window, String(last), { num_before: 0, num_after: PAGE });
  }

  /** Looks at the newest messages of a window again, where no event tells of them. Returns whether anything was new. */
  async refresh(window: MessageWindow): Promise<boolean> {
    if (!window.foundNewest.peek() || window.isLoading.peek()) return false;
    const query = { narrow: toWireNarrow(window.narrow), anchor: 'newest', num_before: LOOKED_AT, num_after: 0 };
    return this.#journaled(async () => {
      const found = await this.#source.range(query);
      return () => this.#renew(window, found.messages, found.found_oldest);
    });
  }

  /** Takes over the newest messages of a window as they are now. */
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
    // Between what was known and what has come there may be more.
    if (from > (known.at(-1) ?? 0)) window.doubtNewest();
    window.add({ ids, anchor: Number.POSITIVE_INFINITY, foundOldest, foundNewest: true });
    return true;
  }

  /** Takes over an event; the model must have taken it over before. */
  apply(event: AnyEvent): void {
    if (this.#fetching > 0) this.#journal.push(event);
    batch(() => this.#apply(event));
  }

  /** The log went on without us: nothing that is known is known for sure. What is looked at stays in view. */
  doubt(): void {
    this.#epoch += 1;
    batch(() => {
      for (const window of this.#windows.values()) window.doubt();
    });
  }

  /** Puts messages in that the browser kept, or that were found some other way. */
  take(messages: readonly Message[]): void {
    batch(() => {
      for (const message of messages) this.table.set(message.id, message);
    });
  }

  /** Fetches messages by their IDs, for lists that show one of each conversation. */
  async fetch(ids: readonly number[]): Promise<void> {
    await this.#journaled(async () => {
      const messages = await this.#source.named(ids);
      return () => this.take(messages);
    });
  }

  /** Forgets what no window needs. `looked`: the window in view. */
  sweep(looked: MessageWindow | undefined): void {
    const needed = new Set<number>();
    for (const window of this.#windows.values()) {
      if (window !== looked) window.trim(KEPT, 'newest');
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

  /** Messages have come to another conversation: out of some windows, into others, which may not know them. */
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

  /** Stars and mentions come and go; what was unread stays in view after it has been read. */
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

  /** Fetches moved messages that nobody has looked at yet, because they may now stand among those in view. */
  async #learn(ids: readonly number[]): Promise<void> {
    const isNeeded = [...this.#windows.values()].some((window) =>
      window.spans.some((span) => ids.some((id) => span.from <= id && id <= span.to)),
    );
    if (!isNeeded) return;
    await this.#journaled(async () => {
      const messages = await this.#source.named(ids);
      return () => {
        for (const message of messages) {
          this.table.set(message.id, message);
          for (const window of this.#windows.values()) this.#place(window, message);
        }
      };
    }).catch(() => this.doubt());
  }

  /** Asks the server which of some messages belong to a window. */
  async #ask(window: MessageWindow, ids: readonly number[]): Promise<void> {
    await this.#journaled(async () => {
      const found = new Set(await this.#source.matching(toWireNarrow(window.narrow), ids));
      return () => {
        for (const id of found) window.insert(id);
        window.remove(new Set(ids.filter((id) => !found.has(id))));
      };
    }).catch(() => window.doubtNewest());
  }

  async #fetch(
    window: MessageWindow,
    anchor: string,
    amounts: { readonly num_before: number; readonly num_after: number },
  ): Promise<number> {
    window.isLoading.value = true;
    try {
      return await this.#journaled(async () => {
        const found = await this.#source.range({ narrow: toWireNarrow(window.narrow), anchor, ...amounts });
        const told = found.anchor ?? Number(anchor);
        const at = Number.isFinite(told) && told < NEWEST ? told : Number.POSITIVE_INFINITY;
        return () => {
          this.take(found.messages);
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

  /** Takes over what a fetch brings, and after it again what has happened since the fetch began. */
  async #journaled<T>(fetch: () => Promise<() => T>): Promise<T> {
    this.#fetching += 1;
    let from = this.#journal.length;
    try {
      let epoch = this.#epoch;
      let take = await fetch();
      // What was asked before the log went on without us may lack what we missed.
      while (epoch !== this.#epoch) {
        epoch = this.#epoch;
        from = this.#journal.length;
        take = await fetch();
      }
      return batch(() => {
        const result = take();
        for (const event of this.#journal.slice(from)) this.#apply(event);
        return result;
      });
    } finally {
      this.#fetching -= 1;
      if (this.#fetching === 0) this.#journal.length = 0;
    }
  }
}
