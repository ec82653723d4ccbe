import { computed, signal } from '@preact/signals';
import { CallFailure, type Clock } from '../api/index.ts';
import { type Conversation, type ConversationKey, keyOf, type AnyEvent } from '../model/index.ts';
import type { AccountStorage } from './storage.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** What the outbox needs of other parts of the client. */
export interface OutboxOptions {
  readonly storage: AccountStorage;
  readonly clock: Clock;
  /** Sends an entry; returns the message's ID, also where an earlier try has sent it. */
  readonly send: (entry: OutboxEntry, queueId: string) => Promise<number>;
  /** Searches the conversation for the message of this entry; undefined for none. */
  readonly find: (entry: OutboxEntry) => Promise<number | undefined>;
  /** Tells other tabs that the outbox has changed. */
  readonly announce: () => void;
  /** Makes the polling tab fetch events at once. */
  readonly catchUp: () => void;
  /** ID of the newest message, where the state has it. */
  readonly newest: () => number | undefined;
  /** Whether this tab sends what the tabs of the browser share. */
  readonly isLeading: () => boolean;
  /** Called when the browser has no room to store a message, which is then lost when the page is closed. */
  readonly onUnstored: () => void;
}

/**
 * Milliseconds after a lost reply until the queue's events decide whether the message was sent. If the server takes
 * longer than that, it recognizes the next try by its key.
 */
const GRACE_MS = 3000;
/** Most sent entries whose message IDs are remembered. */
const REMEMBERED = 20;

/**
 * Messages whose events have not arrived yet, in order. When the reply to a send is lost, the outbox looks for the
 * message in the queue's events, and sends it again under the same key if it is not there: the server stores it once
 * (protocol/messages#idempotency-keys). Only the leading tab sends, except for what could not be stored, which other
 * tabs do not have.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #entries = signal<readonly OutboxEntry[]>([]);
  readonly entries = computed(() => this.#entries.value);
  readonly waiting = computed(() => this.#entries.value.filter((one) => one.status !== 'refused').length);
  #queueId: string | undefined;
  #isSending = false;
  /** Local ID of the entry whose reply this tab awaits. */
  #underWay: string | undefined;
  /** Message IDs of the last sent entries, the newest last, by which their messages can be taken back. */
  readonly #messageIds = signal<readonly (readonly [localId: string, messageId: number])[]>([]);
  #names = 0;
  /** Local IDs of doubtful entries, and whether their grace is over. */
  readonly #doubts = new Map<string, boolean>();
  /** The largest message ID that the state, an event or a reply has had. */
  #highest = 0;
  /** Local IDs of entries that could not be stored: only this tab has them. */
  readonly #unstored = new Set<string>();
  /** How often this tab has changed its entries. */
  #changes = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Returns the entries of one conversation, in order. */
  in(key: ConversationKey): readonly OutboxEntry[] {
    return this.#entries.value.filter((one) => keyOf(one.conversation) === key);
  }

  /** Reads the stored entries, at the start and after another tab has changed them. */
  async load(): Promise<void> {
    let stored: readonly OutboxEntry[];
    let changes: number;
    do {
      changes = this.#changes;
      stored = await this.#options.storage.outbox();
      // Changes made during the read may be missing from its result.
    } while (changes !== this.#changes);
    const others = stored.filter((one) => !this.#unstored.has(one.localId));
    const own = this.#entries.peek().filter((one) => this.#unstored.has(one.localId));
    this.#entries.value = [...others, ...own].toSorted(
      (a, b) => a.createdAt - b.createdAt || (a.localId < b.localId ? -1 : 1),
    );
  }

  /** Adds a message; it is stored before this resolves, if there is room. */
  async add(conversation: Conversation, content: string): Promise<OutboxEntry> {
    const { clock } = this.#options;
    // A clock that was set back must not change the order.
    const createdAt = Math.max(clock.now(), (this.#entries.peek().at(-1)?.createdAt ?? 0) + 1);
    const localId = `${createdAt}.${++this.#names}.${Math.floor(clock.random() * 1e6)}`;
    const entry: OutboxEntry = { localId, conversation, content, createdAt, status: 'waiting' };
    this.#show([...this.#entries.peek(), entry]);
    await this.#store(entry);
    void this.flush();
    return entry;
  }

  /** Sends a refused message again. */
  async retry(localId: string): Promise<void> {
    const entry = this.#find(localId);
    if (entry?.status !== 'refused') return;
    const { reason: _reason, ...rest } = entry;
    await this.#change({ ...rest, status: 'waiting' });
    void this.flush();
  }

  /** Removes and returns an entry, unless it may have been sent already. */
  async discard(localId: string): Promise<OutboxEntry | undefined> {
    const entry = this.#find(localId);
    if (entry?.status !== 'refused' && entry?.status !== 'waiting') return undefined;
    await this.#remove(localId);
    return entry;
  }

  /**
   * Starts sending: this tab polls the queue, and has processed the answer to a request for all events. `overdue` is the
   * result of `overdue()` before that request. Entries that another tab was sending become doubtful.
   */
  async ready(queueId: string, overdue: ReadonlySet<string>): Promise<void> {
    this.#queueId = queueId;
    for (const entry of this.#own()) {
      // The tab that sent it is closed, so the reply is lost.
      if (entry.status === 'sending' && entry.localId !== this.#underWay)
        await this.#change({ ...entry, status: 'doubtful' });
      // Its event was in a queue that is gone.
      if (entry.status === 'sent' && entry.queueId !== queueId) await this.#remove(entry.localId);
    }
    for (const entry of this.#own()) {
      if (entry.status !== 'doubtful') continue;
      if (overdue.has(entry.localId)) await this.#resolve(entry, queueId);
      else void this.#doubt(entry.localId);
    }
    await this.flush();
  }

  /** Returns the local IDs of the doubtful entries whose grace is over: the next answer with events decides them. */
  overdue(): ReadonlySet<string> {
    return new Set([...this.#doubts].filter(([, isOverdue]) => isOverdue).map(([localId]) => localId));
  }

  async #doubt(localId: string): Promise<void> {
    if (this.#doubts.has(localId)) return;
    this.#doubts.set(localId, false);
    await this.#options.clock.sleep(GRACE_MS);
    // Its event may have arrived meanwhile.
    if (this.#find(localId)?.status !== 'doubtful') return void this.#doubts.delete(localId);
    this.#doubts.set(localId, true);
    this.#options.catchUp();
  }

  /** The entries that this tab sends. */
  #own(): readonly OutboxEntry[] {
    const isLeading = this.#options.isLeading();
    return this.#entries.peek().filter((one) => isLeading || this.#unstored.has(one.localId));
  }

  /** Stops sending while this tab does not poll. */
  pause(): void {
    this.#queueId = undefined;
  }

  /** Removes the entry of a message that has arrived in the queue's events. */
  apply(event: AnyEvent): void {
    if (event.type !== 'message') return;
    const localId = event['local_message_id'];
    const { message } = event;
    const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
    const entry = this.#entries.peek().find((one) => one.localId === localId || one.messageId === id);
    if (typeof id === 'number') this.#highest = Math.max(this.#highest, id);
    const name = entry?.localId ?? localId;
    if (typeof name === 'string' && typeof id === 'number') this.#remember(name, id);
    // Entries that waited for it can be sent now.
    if (entry) void this.#remove(entry.localId).then(() => this.flush());
  }

  #remember(localId: string, messageId: number): void {
    this.#messageIds.value = [...this.#messageIds.peek(), [localId, messageId] as const].slice(-REMEMBERED);
  }

  async #received(localId: string, messageId: number): Promise<void> {
    if (!this.#find(localId)) return;
    this.#remember(localId, messageId);
    await this.#remove(localId);
  }

  /** Returns the message ID of a sent entry; undefined for one without an event so far, or one no longer remembered. */
  messageOf(localId: string): number | undefined {
    return this.#messageIds.value.find(([name]) => name === localId)?.[1];
  }

  /** Sends waiting entries one after the other. */
  async flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (;;) {
        const own = this.#own();
        const entry = own.find((one) => one.status === 'waiting');
        // While an entry is doubtful, nothing else is sent, so that messages stay in order.
        const isHeld = own.some((one) => one.status === 'doubtful');
        if (!entry || isHeld || this.#queueId === undefined) return;
        await this.#send(entry, this.#queueId);
      }
    } finally {
      this.#isSending = false;
    }
  }

  async #send(entry: OutboxEntry, queueId: string): Promise<void> {
    this.#highest = Math.max(this.#highest, this.#options.newest() ?? 0);
    // An earlier try may still have sent it.
    const { after = this.#highest } = entry;
    const sending: OutboxEntry = { ...entry, status: 'sending', queueId, after };
    this.#underWay = entry.localId;
    // Stored before the request: after a reload the page must know that it may have been sent.
    await this.#change(sending);
    try {
      const messageId = await this.#options.send(entry, queueId);
      this.#highest = Math.max(this.#highest, messageId);
      // The state has this message already, so its event was applied; it named the queue of an earlier try, not this
      // entry.
      if (messageId <= (this.#options.newest() ?? 0)) await this.#received(entry.localId, messageId);
      else if (this.#find(entry.localId)) await this.#change({ ...sending, status: 'sent', messageId });
    } catch (error) {
      // The event may have arrived although the reply did not.
      if (!this.#find(entry.localId)) return;
      if (error instanceof CallFailure && error.kind === 'refused')
        return this.#change({ ...entry, status: 'refused', reason: error.sentence });
      if (error instanceof CallFailure && error.kind === 'signedOut') {
        this.pause();
        return this.#change({ ...entry, status: 'waiting' });
      }
      await this.#change({ ...sending, status: 'doubtful' });
      void this.#doubt(entry.localId);
    } finally {
      this.#underWay = undefined;
    }
  }

  /**
   * Resolves a doubtful entry after the queue's events are processed: if it was sent with the same queue, it was not
   * received. Otherwise the conversation is searched.
   */
  async #resolve(entry: OutboxEntry, queueId: string): Promise<void> {
    const { localId } = entry;
    const isOpen = () => this.#find(localId)?.status === 'doubtful' && this.#doubts.get(localId) === true;
    if (!isOpen()) return;
    let messageId: number | undefined;
    try {
      if (entry.queueId !== queueId) messageId = await this.#options.find(entry);
    } catch {
      this.#doubts.delete(localId);
      return void this.#doubt(localId);
    }
    // Its event, or another search, may have decided meanwhile.
    if (!isOpen()) return;
    this.#doubts.delete(localId);
    if (messageId === undefined) await this.#change({ ...entry, status: 'waiting' });
    else await this.#remove(localId);
  }

  #find(localId: string): OutboxEntry | undefined {
    return this.#entries.peek().find((one) => one.localId === localId);
  }

  #show(entries: readonly OutboxEntry[]): void {
    this.#changes++;
    this.#entries.value = entries;
  }

  async #change(entry: OutboxEntry): Promise<void> {
    // An entry that was removed meanwhile must not come back.
    if (!this.#find(entry.localId)) return;
    this.#show(this.#entries.peek().map((one) => (one.localId === entry.localId ? entry : one)));
    await this.#store(entry);
  }

  async #store(entry: OutboxEntry): Promise<void> {
    const { storage, onUnstored, announce } = this.#options;
    const { localId } = entry;
    try {
      if (!this.#unstored.has(localId)) await storage.putEntry(entry);
    } catch {
      this.#unstored.add(localId);
      // Another tab or a later visit would send the outdated entry again.
      await storage.deleteEntry(localId).catch(() => undefined);
      onUnstored();
    }
    announce();
  }

  async #remove(localId: string): Promise<void> {
    this.#show(this.#entries.peek().filter((one) => one.localId !== localId));
    this.#unstored.delete(localId);
    await this.#options.storage.deleteEntry(localId).catch(() => undefined);
    this.#options.announce();
  }
}
