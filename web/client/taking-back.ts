import { signal } from '@preact/signals';
import { type Api, CallFailure, type Clock } from '../api/index.ts';
import { type ConversationKey, keyOf } from '../model/index.ts';
import type { Outbox, OutboxEntry } from '../sync/index.ts';
import type { Drafts } from './drafts.ts';
import { NOTICE_MS } from './notices.ts';

interface TakingBackOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
}

/**
 * Takes the last message back into the composer: out of the outbox while it waits there, and by deleting it once it has been sent.
 */
export class TakingBack {
  readonly #options: TakingBackOptions;
  readonly #last = signal<OutboxEntry | undefined>();

  constructor(options: TakingBackOptions) {
    this.#options = options;
  }

  /** This has been sent just now. */
  async sent(entry: OutboxEntry): Promise<void> {
    this.#last.value = entry;
    await this.#options.clock.sleep(NOTICE_MS);
    if (this.#last.peek() === entry) this.#last.value = undefined;
  }

  /** What was sent just now in a conversation, and the message that it has become, once it has. */
  in(key: ConversationKey): { readonly entry: OutboxEntry; readonly messageId: number | undefined } | undefined {
    const entry = this.#last.value;
    if (!entry || keyOf(entry.conversation) !== key) return undefined;
    return { entry, messageId: this.#options.outbox.messageOf(entry.localId) };
  }

  /** Puts the words back where they were written. Resolves to the server's sentence if it kept the message. */
  async take({ localId, conversation, content }: OutboxEntry): Promise<string | undefined> {
    const { api, outbox, drafts } = this.#options;
    this.#last.value = undefined;
    const message_id = outbox.messageOf(localId);
    try {
      if (message_id !== undefined) await api.call('DELETE', '/messages/{message_id}', { message_id });
      else if (!(await outbox.discard(localId))) return undefined;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      return error.message;
    }
    drafts.insert(conversation, content);
    return undefined;
  }
}
