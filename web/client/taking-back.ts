import { signal } from '@preact/signals';
import { type Api, CallFailure, type Clock } from '../api/index.ts';
import { type ConversationKey, keyOf } from '../model/index.ts';
import type { Outbox, OutboxEntry } from '../sync/index.ts';
import type { Drafts } from './drafts.ts';
import { NOTICE_MS } from './notices.ts';
import { sentenceOf } from './sentence.ts';

interface TakingBackOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
}

/**
 * Takes the last message back into the composer: removes it from the outbox if it is still there, or deletes it at the
 * server.
 */
export class TakingBack {
  readonly #options: TakingBackOptions;
  readonly #last = signal<OutboxEntry | undefined>();

  constructor(options: TakingBackOptions) {
    this.#options = options;
  }

  /** Called when an entry was sent. */
  async sent(entry: OutboxEntry): Promise<void> {
    this.#last.value = entry;
    await this.#options.clock.sleep(NOTICE_MS);
    if (this.#last.peek() === entry) this.#last.value = undefined;
  }

  /** Returns the entry that was last sent in a conversation, with its message's ID once that is known. */
  in(key: ConversationKey): { readonly entry: OutboxEntry; readonly messageId: number | undefined } | undefined {
    const entry = this.#last.value;
    if (!entry || keyOf(entry.conversation) !== key) return undefined;
    return { entry, messageId: this.#options.outbox.messageOf(entry.localId) };
  }

  /**
   * Takes the message back and inserts its text into the composer. Resolves to the server's error message if it is
   * refused.
   */
  async take({ localId, conversation, content }: OutboxEntry): Promise<string | undefined> {
    const { api, outbox, drafts } = this.#options;
    this.#last.value = undefined;
    const message_id = outbox.messageOf(localId);
    try {
      if (message_id !== undefined) await api.call('DELETE', '/messages/{message_id}', { message_id });
      else if (!(await outbox.discard(localId))) return undefined;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      return sentenceOf(error);
    }
    drafts.insert(conversation, content);
    return undefined;
  }
}
