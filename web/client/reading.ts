import { batch } from '@preact/signals';
import { type Api, CallFailure, type Clock } from '../api/index.ts';
import { type Messages, type Narrow, toWireNarrow } from '../messages/index.ts';
import type { Model } from '../model/index.ts';

/** Interval at which messages are marked read at the server, in milliseconds. */
const BATCH_MS = 1000;
/** Most messages of one call. */
const MAX_AT_ONCE = 5000;
/** Most calls for one action. */
const MAX_CALLS = 100;

/** Marks messages as read: in the page at once, at the server once a second. */
export class Reading {
  readonly #api: Api;
  readonly #clock: Clock;
  readonly #model: Model;
  readonly #messages: Messages;
  readonly #waiting = new Set<number>();
  #isRunning = false;
  #isPaused = false;

  constructor(api: Api, clock: Clock, model: Model, messages: Messages) {
    this.#api = api;
    this.#clock = clock;
    this.#model = model;
    this.#messages = messages;
  }

  /** Marks seen messages as read again, once another conversation is open. */
  resume(): void {
    this.#isPaused = false;
  }

  /** Marks the messages of a narrow as unread from one on; seeing them does not mark them as read until `resume`. */
  async unreadFrom(narrow: Narrow, id: number): Promise<void> {
    this.#isPaused = true;
    for (const one of this.#waiting) if (one >= id) this.#waiting.delete(one);
    let anchor = id;
    for (let calls = 0; calls < MAX_CALLS; calls++) {
      const done = await this.#api.call('POST', '/messages/flags/narrow', {
        anchor: String(anchor),
        include_anchor: calls === 0,
        num_before: 0,
        num_after: MAX_AT_ONCE,
        narrow: toWireNarrow(narrow),
        op: 'remove',
        flag: 'read',
      });
      if (done.found_newest || done.last_processed_id === null) return;
      anchor = done.last_processed_id;
    }
  }

  /** Marks seen messages as read, except those that are already. */
  seen(ids: readonly number[]): void {
    if (this.#isPaused) return;
    const unread = ids.filter((id) => this.#messages.table.peek(id)?.flags.includes('read') === false);
    if (unread.length === 0) return;
    this.#show(unread, 'add');
    for (const id of unread) this.#waiting.add(id);
    void this.#run();
  }

  #show(messages: readonly number[], op: 'add' | 'remove'): void {
    const event = { id: 0, type: 'update_message_flags', op, flag: 'read', messages, all: false } as const;
    batch(() => {
      if (op === 'add') this.#model.unread.apply(event);
      this.#messages.apply(event);
    });
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#waiting.size > 0) {
        await this.#clock.sleep(BATCH_MS);
        await this.#send([...this.#waiting].slice(0, MAX_AT_ONCE));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #send(messages: readonly number[]): Promise<void> {
    try {
      await this.#api.call('POST', '/messages/flags', { messages, op: 'add', flag: 'read' });
    } catch (error) {
      // If the server is unreachable, they stay in the queue.
      if (error instanceof CallFailure && error.kind === 'away') return this.#clock.sleep(BATCH_MS * 5);
      this.#show(messages, 'remove');
    }
    for (const id of messages) this.#waiting.delete(id);
  }
}
