import { computed, signal } from '@preact/signals';
import { CallFailure, type Clock } from '../api/index.ts';
import { type Conversation, type ConversationKey, keyOf, type AnyEvent } from '../model/index.ts';
import type { AccountStorage } from './storage.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** What the outbox needs of other parts of the client. */
export interface OutboxOptions {
  readonly storage: AccountStorage;
  readonly clock: Clock;
  /** Sends an entry; returns the message's ID. */
  readonly send: (entry: OutboxEntry, queueId: string) => Promise<number>;
  /** Searches the conversation for the message of this entry; undefined for none. */
  readonly find: (entry: OutboxEntry) => Promise<number | undefined>;
  /** Tells other tabs that the outbox has changed. */
  readonly announce: () => void;
  /** Makes the polling tab fetch events at once. */
  readonly catchUp: () => void;
}

/** Milliseconds after a lost reply before the queue's events decide, because the request may still be arriving. */
const GRACE_MS = 1500;
/** Most sent entries whose message IDs are remembered. */
const REMEMBERED = 20;

/**
 * Messages whose events have not arrived yet, in order. When the reply to a send is lost, the outbox looks for the
 * message in the queue's events before it sends again, so that each is sent exactly once. Only the polling tab sends.
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
  /** Message IDs of sent entries, newest last; as many as may still be taken back. */
  readonly #became = signal<readonly (readonly [localId: string, messageId: number])[]>([]);
  #names = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Returns the entries of one conversation, in order. */
  in(key: ConversationKey): readonly OutboxEntry[] {
    return this.#entries.value.filter((one) => keyOf(one.conversation) === key);
  }

  /** Reads the stored entries, at the start and after another tab has changed them. */
  async load(): Promise<void> {
    const stored = await this.#options.storage.outbox();
    this.#entries.value = stored.toSorted((a, b) => a.createdAt - b.createdAt || (a.localId < b.localId ? -1 : 1));
  }

  /** Adds a message; it is stored before this resolves. */
  async add(conversation: Conversation, content: string): Promise<OutboxEntry> {
    const { clock } = this.#options;
    const createdAt = clock.now();
    const localId = `${createdAt}.${++this.#names}.${Math.floor(clock.random() * 1e6)}`;
    const entry: OutboxEntry = { localId, conversation, content, createdAt, status: 'waiting' };
    this.#entries.value = [...this.#entries.value, entry];
    await this.#options.storage.putEntry(entry);
    this.#options.announce();
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
   * Starts sending: this tab polls the queue and has seen all of its events so far. Entries that another tab was
   * sending become doubtful.
   */
  async ready(queueId: string): Promise<void> {
    this.#queueId = queueId;
    for (const entry of this.#entries.peek()) {
      // The tab that sent it is closed, so the reply is lost.
      if (entry.status === 'sending' && entry.localId !== this.#underWay)
        await this.#change({ ...entry, status: 'doubtful' });
    }
    for (const entry of this.#entries.peek()) if (entry.status === 'doubtful') await this.#resolve(entry, queueId);
    await this.flush();
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
    const name = entry?.localId ?? localId;
    if (typeof name === 'string' && typeof id === 'number')
      this.#became.value = [...this.#became.peek(), [name, id] as const].slice(-REMEMBERED);
    if (entry) void this.#remove(entry.localId);
  }

  /** Returns the message ID of a sent entry; undefined for one without an event so far, or one no longer remembered. */
  messageOf(localId: string): number | undefined {
    return this.#became.value.find(([name]) => name === localId)?.[1];
  }

  /** Sends waiting entries one after the other. */
  async flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (;;) {
        const entry = this.#entries.peek().find((one) => one.status === 'waiting');
        // While an entry is doubtful, nothing else is sent, so that messages stay in order.
        const isHeld = this.#entries.peek().some((one) => one.status === 'doubtful');
        if (!entry || isHeld || this.#queueId === undefined) return;
        await this.#send(entry, this.#queueId);
      }
    } finally {
      this.#isSending = false;
    }
  }

  async #send(entry: OutboxEntry, queueId: string): Promise<void> {
    const sending: OutboxEntry = { ...entry, status: 'sending', queueId };
    // Stored before the request: after a reload the page must know that it may have been sent.
    await this.#change(sending);
    this.#underWay = entry.localId;
    try {
      const messageId = await this.#options.send(entry, queueId);
      if (this.#find(entry.localId)) await this.#change({ ...sending, status: 'sent', messageId });
    } catch (error) {
      // The event may have arrived although the reply did not.
      if (!this.#find(entry.localId)) return;
      if (error instanceof CallFailure && error.kind === 'refused')
        return this.#change({ ...entry, status: 'refused', reason: error.message });
      if (error instanceof CallFailure && error.kind === 'signedOut') {
        this.pause();
        return this.#change({ ...entry, status: 'waiting' });
      }
      await this.#change({ ...sending, status: 'doubtful' });
      void this.#options.clock.sleep(GRACE_MS).then(() => this.#options.catchUp());
    } finally {
      this.#underWay = undefined;
    }
  }

  /**
   * Resolves a doubtful entry after the queue's events are processed: if it was sent with the same queue, it was not
   * received. Otherwise the conversation is searched.
   */
  async #resolve(entry: OutboxEntry, queueId: string): Promise<void> {
    if (entry.queueId === queueId) return this.#change({ ...entry, status: 'waiting' });
    try {
      const messageId = await this.#options.find(entry);
      if (messageId === undefined) await this.#change({ ...entry, status: 'waiting' });
      else await this.#remove(entry.localId);
    } catch {
      // The entry stays doubtful until the next time.
    }
  }

  #find(localId: string): OutboxEntry | undefined {
    return this.#entries.peek().find((one) => one.localId === localId);
  }

  async #change(entry: OutboxEntry): Promise<void> {
    this.#entries.value = this.#entries.peek().map((one) => (one.localId === entry.localId ? entry : one));
    await this.#options.storage.putEntry(entry);
    this.#options.announce();
  }

  async #remove(localId: string): Promise<void> {
    this.#entries.value = this.#entries.peek().filter((one) => one.localId !== localId);
    await this.#options.storage.deleteEntry(localId);
    this.#options.announce();
  }
}
