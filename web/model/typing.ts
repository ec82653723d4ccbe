import { type Signal, signal } from '@preact/signals';
import { type ConversationKey, directWith, keyOf } from './keys.ts';

interface TypingEvent {
  readonly op: 'start' | 'stop';
  readonly sender: { readonly user_id: number };
  readonly recipients?: readonly { readonly user_id: number }[];
  readonly stream_id?: number;
  readonly topic?: string;
}

/** Who is typing where. A typing notice expires, because the notice that it stopped may get lost. */
export class Typing {
  readonly #until = new Map<ConversationKey, Map<number, number>>();
  readonly #version: Signal<number> = signal(0);

  /** Applies a typing event. `now` and `expiryMs` are in milliseconds. */
  apply(event: TypingEvent, me: number, now: number, expiryMs: number): void {
    if (event.sender.user_id === me) return;
    const key =
      event.stream_id === undefined
        ? keyOf(directWith(event.recipients?.map((one) => one.user_id) ?? [], me))
        : keyOf({ channelId: event.stream_id, topic: event.topic ?? '' });
    const typists = this.#until.get(key) ?? new Map<number, number>();
    if (event.op === 'start') this.#until.set(key, typists.set(event.sender.user_id, now + expiryMs));
    else typists.delete(event.sender.user_id);
    this.#version.value += 1;
  }

  /** Removes expired typing notices. */
  expire(now: number): void {
    let isChanged = false;
    for (const [key, typists] of this.#until) {
      for (const [id, until] of typists) if (until <= now) isChanged = typists.delete(id);
      if (typists.size === 0) this.#until.delete(key);
    }
    if (isChanged) this.#version.value += 1;
  }

  /** Removes the typing notice of somebody whose message has arrived. */
  stopped(key: ConversationKey, userId: number): void {
    if (this.#until.get(key)?.delete(userId)) this.#version.value += 1;
  }

  in(key: ConversationKey): readonly number[] {
    void this.#version.value;
    return [...(this.#until.get(key)?.keys() ?? [])];
  }
}
