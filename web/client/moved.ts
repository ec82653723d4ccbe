import { effect, type ReadonlySignal } from '@preact/signals';
import { conversationHash, type Names, type Route } from '../addresses/index.ts';
import { conversationIn, type Messages, type MessageWindow } from '../messages/index.ts';
import { type AnyEvent, type Conversation, conversationOf, keyOf, type Model } from '../model/index.ts';

interface FollowerOptions {
  readonly route: ReadonlySignal<Route>;
  readonly messages: Messages;
  readonly model: Model;
  readonly names: Names;
  /** Takes the draft along. */
  readonly moveDraft: (from: Conversation, to: Conversation) => void;
}

/** The conversation that is open, and its messages. */
interface Open {
  readonly from: Conversation;
  readonly window: MessageWindow;
}

/** Keeps the view on the messages of an open topic when all of them are moved. */
export class Follower {
  readonly #options: FollowerOptions;
  /** The newest message that was in view, and the window that showed it. */
  #last: { readonly window: MessageWindow; readonly id: number } | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    effect(() => this.#look());
  }

  /** Follows the open topic if an event has moved it as a whole. */
  applied({
    type,
    propagate_mode,
    stream_id,
    new_stream_id = stream_id,
    orig_subject,
    subject = orig_subject,
  }: AnyEvent) {
    if (type !== 'update_message' || propagate_mode === undefined || propagate_mode === 'change_one') return;
    const { from, window } = this.#open() ?? {};
    if (!from || !('channelId' in from) || from.channelId !== stream_id || from.topic !== orig_subject) return;
    if (window?.ids.peek().length === 0)
      this.#follow(from, { channelId: Number(new_stream_id), topic: String(subject) });
  }

  /** Asks where the messages are that were in view, if the server has none here: the event of their move was missed. */
  #look(): void {
    const { from, window } = this.#open() ?? {};
    if (!from || !window) return;
    const id = window.ids.value.at(-1);
    if (id !== undefined) this.#last = { window, id };
    else if (window.isKnown.value && this.#last?.window === window) void this.#find(from, this.#last.id);
  }

  async #find(from: Conversation, id: number): Promise<void> {
    const { route, messages } = this.#options;
    const at = route.peek();
    const place = () => {
      const message = messages.table.peek(id);
      return message && conversationOf(message);
    };
    const known = place();
    if (!known || keyOf(known) !== keyOf(from)) return;
    await messages.fetch([id]).catch(() => undefined);
    const to = place();
    if (to && route.peek() === at) this.#follow(from, to);
  }

  #open(): Open | undefined {
    const { route, messages, model } = this.#options;
    const at = route.value;
    if (at.view !== 'narrow') return undefined;
    const from = conversationIn(at.narrow, model.me);
    return from && { from, window: messages.window(at.narrow) };
  }

  /** The old address is replaced in the history. */
  #follow(from: Conversation, to: Conversation): void {
    const { names, moveDraft } = this.#options;
    if (keyOf(from) === keyOf(to)) return;
    moveDraft(from, to);
    location.replace(conversationHash(to, names));
  }
}
