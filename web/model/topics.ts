import { type Signal, signal } from '@preact/signals';
import { applyPolicyEvent } from '#features/topics/apply';
import { type ConversationKey, keyOf } from './keys.ts';

type Row = Parameters<typeof applyPolicyEvent>[1];

/** The viewer's choice for a topic. See protocol/topics#visibility-policies. */
export const Policy = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** The topics that the viewer muted, unmuted or followed. */
export class TopicPolicies {
  readonly #rows = new Map<ConversationKey, Row>();
  readonly version: Signal<number> = signal(0);

  load(rows: readonly Row[] = []): void {
    this.#rows.clear();
    for (const row of rows) this.#rows.set(rowKey(row), row);
    this.version.value += 1;
  }

  /** Applies a `user_topic` event; returns the channel and the topic. */
  apply(event: Row): { readonly channelId: number; readonly topic: string } {
    const key = rowKey(event);
    const before = this.#rows.get(key);
    const [row] = applyPolicyEvent({ user_topics: before ? [before] : [] }, event).user_topics;
    if (row) this.#rows.set(key, row);
    else this.#rows.delete(key);
    this.version.value += 1;
    return { channelId: event.stream_id, topic: event.topic_name };
  }

  /** Returns a value of `Policy` without subscribing to it. */
  peek(key: ConversationKey): number {
    return this.#rows.get(key)?.visibility_policy ?? Policy.none;
  }

  get(key: ConversationKey): number {
    void this.version.value;
    return this.peek(key);
  }

  /** All topics for which the viewer made a choice. */
  get rows(): readonly Row[] {
    void this.version.value;
    return [...this.#rows.values()];
  }
}

function rowKey(row: Row): ConversationKey {
  return keyOf({ channelId: row.stream_id, topic: row.topic_name });
}
