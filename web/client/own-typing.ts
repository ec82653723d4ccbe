import type { Api, Clock, InputOf } from '../api/index.ts';
import { type Conversation, keyOf, type Model, othersIn } from '../model/index.ts';

/**
 * Defaults where the server does not say how often it wants typing notices. See protocol/organizations#server-facts.
 */
const [AGAIN_MS, SILENCE_MS] = [30_000, 12_000];
/** Longest time for which a notice is tried: it says what is so now, and later ones wait for it. */
const MAX_TRYING_MS = 3000;

type Notice = InputOf<'POST', '/typing'>;

/** Sends typing notices to the recipients of the message that the viewer is writing. See protocol/typing#audience. */
export class OwnTyping {
  readonly #api: Pick<Api, 'call'>;
  readonly #clock: Clock;
  readonly #model: Model;
  /** The conversation that the viewer is typing in, and when its recipients were last notified. */
  #now: { readonly conversation: Conversation; readonly notifiedAt: number } | undefined;
  #silence = new AbortController();
  /** Ends with the last notice. Notices go one after the other, because the last to arrive says whether one types. */
  #told: Promise<unknown> = Promise.resolve();

  constructor(api: Pick<Api, 'call'>, clock: Clock, model: Model) {
    this.#api = api;
    this.#clock = clock;
    this.#model = model;
  }

  /** Handles a key press in the composer of a conversation. */
  typed(conversation: Conversation): void {
    if (!this.#isWanted(conversation)) return;
    if (this.#now && keyOf(this.#now.conversation) !== keyOf(conversation)) this.stopped();
    const now = this.#clock.now();
    const again = this.#model.facts.peek('server_typing_started_wait_period_milliseconds') ?? AGAIN_MS;
    if (!this.#now || now - this.#now.notifiedAt >= again) {
      this.#now = { conversation, notifiedAt: now };
      this.#tell(conversation, 'start');
    }
    this.#waitForSilence();
  }

  /** Called when the text was sent, emptied or left. */
  stopped(): void {
    this.#silence.abort();
    if (!this.#now) return;
    const { conversation } = this.#now;
    this.#now = undefined;
    this.#tell(conversation, 'stop');
  }

  #waitForSilence(): void {
    this.#silence.abort();
    this.#silence = new AbortController();
    const { signal } = this.#silence;
    const silence = this.#model.facts.peek('server_typing_stopped_wait_period_milliseconds') ?? SILENCE_MS;
    void this.#clock.sleep(silence, signal).then(() => signal.aborted || this.stopped());
  }

  /** Whether the person wants typing notices sent, and there is somebody to receive them. */
  #isWanted(conversation: Conversation): boolean {
    const settings = this.#model.facts.peek('user_settings');
    if ('channelId' in conversation) return settings?.send_stream_typing_notifications === true;
    const [first] = othersIn(conversation, this.#model.me);
    return settings?.send_private_typing_notifications === true && first !== this.#model.me;
  }

  #tell(conversation: Conversation, op: 'start' | 'stop'): void {
    const to =
      'people' in conversation
        ? ({ type: 'direct', to: conversation.people } as const)
        : ({ type: 'stream', stream_id: conversation.channelId, topic: conversation.topic } as const);
    this.#told = this.#told.then(() => this.#send({ op, ...to }));
  }

  /** Sends a notice, or gives it up. Errors are ignored: a person who may not write here learns that when sending. */
  async #send(notice: Notice): Promise<void> {
    const [sent, late] = [new AbortController(), new AbortController()];
    void this.#clock.sleep(MAX_TRYING_MS, sent.signal).then(() => late.abort());
    await this.#api.call('POST', '/typing', notice, { signal: late.signal }).catch(() => undefined);
    sent.abort();
  }
}
