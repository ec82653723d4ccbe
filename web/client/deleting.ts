import { signal } from '@preact/signals';
import { type Api, CallFailure, type Clock } from '../api/index.ts';
import { NOTICE_MS } from './notices.ts';
import { sentenceOf } from './sentence.ts';

interface DeletingOptions {
  readonly api: Api;
  readonly clock: Clock;
  /** Called when the deletion was refused or not answered: the message still exists. */
  readonly onRefused: (sentence: string) => void;
}

/**
 * Messages that are about to be deleted. The API cannot undelete, so the call is delayed for as long as it can be
 * undone.
 */
export class Deleting {
  readonly #options: DeletingOptions;
  readonly #waiting = signal<ReadonlyMap<number, Waiting>>(new Map());

  constructor(options: DeletingOptions) {
    this.#options = options;
  }

  /** Returns when the message will be deleted, in milliseconds since 1970; undefined when it will not be. */
  at(id: number): number | undefined {
    return this.#waiting.value.get(id)?.at;
  }

  start(id: number): void {
    if (this.#waiting.peek().has(id)) return;
    const { clock } = this.#options;
    const stop = new AbortController();
    this.#set(id, { at: clock.now() + NOTICE_MS, stop });
    void clock.sleep(NOTICE_MS, stop.signal).then(() => {
      if (!stop.signal.aborted) void this.#send(id);
    });
  }

  /** Cancels a deletion; too late once the call has been sent. */
  undo(id: number): void {
    const waiting = this.#waiting.peek().get(id);
    waiting?.stop.abort();
    if (waiting) this.#set(id, undefined);
  }

  /** Cancels the newest deletion; returns whether there was one. */
  undoNewest(): boolean {
    const newest = [...this.#waiting.peek().keys()].at(-1);
    if (newest !== undefined) this.undo(newest);
    return newest !== undefined;
  }

  /** Sends pending deletions because the page is left; they complete although nobody waits for the answer. */
  flush(): void {
    for (const [id, { stop }] of this.#waiting.peek()) {
      stop.abort();
      void this.#send(id, true);
    }
  }

  async #send(id: number, outlivesPage = false): Promise<void> {
    const { api, onRefused } = this.#options;
    try {
      await api.call('DELETE', '/messages/{message_id}', { message_id: id }, { outlivesPage });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      // After 404 somebody else has deleted it meanwhile.
      if (error.status !== 404) onRefused(sentenceOf(error));
    } finally {
      this.#set(id, undefined);
    }
  }

  #set(id: number, waiting: Waiting | undefined): void {
    const next = new Map(this.#waiting.peek());
    if (waiting) next.set(id, waiting);
    else next.delete(id);
    this.#waiting.value = next;
  }
}

interface Waiting {
  readonly at: number;
  readonly stop: AbortController;
}
