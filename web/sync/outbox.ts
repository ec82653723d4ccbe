import { computed, signal } from '@preact/signals';
import { CallFailure, type Clock } from '../api/index.ts';
import { type Conversation, type ConversationKey, keyOf, type AnyEvent } from '../model/index.ts';
import type { Kept } from './kept.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** What the outbox needs of the rest. */
export interface OutboxOptions {
  readonly kept: Kept;
  readonly clock: Clock;
  /** Sends; returns the message's ID. */
  readonly send: (entry: OutboxEntry, queueId: string) => Promise<number>;
  /** Looks among the messages of a conversation for one that this entry became; undefined for none. */
  readonly find: (entry: OutboxEntry) => Promise<number | undefined>;
  /** Other tabs are told. */
  readonly announce: () => void;
  /** Asks the tab that polls to look for events at once. */
  readonly catchUp: () => void;
}

/** Milliseconds after a lost answer until the queue is believed: the request may still be on its way. */
const GRACE_MS = 1500;
/** Entries of which it is known what they became. */
const REMEMBERED = 20;

/**
 * Messages that have not been seen in the log yet, in order. A send whose answer was lost is looked for in the queue's events
 * before it goes out again, so each goes out exactly once. Only the tab that polls sends.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #entries = signal<readonly OutboxEntry[]>([]);
  readonly entries = computed(() => this.#entries.value);
  readonly waiting = computed(() => this.#entries.value.filter((one) => one.status !== 'refused').length);
  #queueId: string | undefined;
  #isSending = false;
  /** What this tab waits for an answer to. */
  #underWay: string | undefined;
  /** What entries became, the newest last; as many as may still be taken back. */
  readonly #became = signal<readonly (readonly [localId: string, messageId: number])[]>([]);
  #names = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Entries of one conversation, in order. */
  in(key: ConversationKey): readonly OutboxEntry[] {
    return this.#entries.value.filter((one) => keyOf(one.conversation) === key);
  }

  /** Reads what is kept, here and when another tab has changed it. */
  async load(): Promise<void> {
    const kept = await this.#options.kept.outbox();
    this.#entries.value = kept.toSorted((a, b) => a.createdAt - b.createdAt || (a.localId < b.localId ? -1 : 1));
  }

  /** Takes a message; it is kept before this resolves. */
  async add(conversation: Conversation, content: string): Promise<OutboxEntry> {
    const { clock } = this.#options;
    const createdAt = clock.now();
    const localId = `${createdAt}.${++this.#names}.${Math.floor(clock.random() * 1e6)}`;
    const entry: OutboxEntry = { localId, conversation, content, createdAt, status: 'waiting' };
    this.#entries.value = [...this.#entries.value, entry];
    await this.#options.kept.putEntry(entry);
    this.#options.announce();
    void this.flush();
    return entry;
  }

  /** Tries a refused message again. */
  async retry(localId: string): Promise<void> {
    const entry = this.#find(localId);
    if (entry?.status !== 'refused') return;
    const { reason: _reason, ...rest } = entry;
    await this.#change({ ...rest, status: 'waiting' });
    void this.flush();
  }

  /** Throws a message away, unless it may have been sent already. Returns it. */
  async discard(localId: string): Promise<OutboxEntry | undefined> {
    const entry = this.#find(localId);
    if (entry?.status !== 'refused' && entry?.status !== 'waiting') return undefined;
    await this.#remove(localId);
    return entry;
  }

  /** The tab polls now with this queue, and has seen all its events up to now. What was being sent before is in doubt. */
  async ready(queueId: string): Promise<void> {
    this.#queueId = queueId;
    for (const entry of this.#entries.peek()) {
      // Sent by a tab that is gone: nobody waits for its answer any more.
      if (entry.status === 'sending' && entry.localId !== this.#underWay)
        await this.#change({ ...entry, status: 'doubtful' });
    }
    for (const entry of this.#entries.peek()) if (entry.status === 'doubtful') await this.#resolve(entry, queueId);
    await this.flush();
  }

  /** The tab does not poll any more, or not now. */
  pause(): void {
    this.#queueId = undefined;
  }

  /** An event of the queue: a message that has arrived is no longer on its way. */
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

  /** The message that an entry has become; undefined for one that is on its way, or long gone. */
  messageOf(localId: string): number | undefined {
    return this.#became.value.find(([name]) => name === localId)?.[1];
  }

  /** Sends what waits, one after the other. */
  async flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (;;) {
        const entry = this.#entries.peek().find((one) => one.status === 'waiting');
        // What comes later in the same conversation does not overtake what is in doubt.
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
    // Kept before it goes out: the next page must know that it may have been sent.
    await this.#change(sending);
    this.#underWay = entry.localId;
    try {
      const messageId = await this.#options.send(entry, queueId);
      if (this.#find(entry.localId)) await this.#change({ ...sending, status: 'sent', messageId });
    } catch (error) {
      // The event may have come although the answer did not.
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

  /** The queue's events have been seen, and the message was not among them: it was not sent, if the queue is the same. */
  async #resolve(entry: OutboxEntry, queueId: string): Promise<void> {
    if (entry.queueId === queueId) return this.#change({ ...entry, status: 'waiting' });
    try {
      const messageId = await this.#options.find(entry);
      if (messageId === undefined) await this.#change({ ...entry, status: 'waiting' });
      else await this.#remove(entry.localId);
    } catch {
      // It stays in doubt until the next time.
    }
  }

  #find(localId: string): OutboxEntry | undefined {
    return this.#entries.peek().find((one) => one.localId === localId);
  }

  async #change(entry: OutboxEntry): Promise<void> {
    this.#entries.value = this.#entries.peek().map((one) => (one.localId === entry.localId ? entry : one));
    await this.#options.kept.putEntry(entry);
    this.#options.announce();
  }

  async #remove(localId: string): Promise<void> {
    this.#entries.value = this.#entries.peek().filter((one) => one.localId !== localId);
    await this.#options.kept.deleteEntry(localId);
    this.#options.announce();
  }
}
