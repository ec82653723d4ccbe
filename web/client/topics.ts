import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Api, Clock } from '../api/index.ts';

/** A topic of a channel, and its newest message. */
export interface TopicOfChannel {
  readonly name: string;
  readonly max_id: number;
}

/** Milliseconds for which fetched topics count as current. */
const FRESH_MS = 10_000;

interface Entry {
  readonly topics: Signal<readonly TopicOfChannel[] | undefined>;
  readonly failure: Signal<Error | undefined>;
  fetchedAt: number;
  fetching: Promise<void> | undefined;
}

/** The topics of channels, the newest first, as far as they were requested. */
export class ChannelTopics {
  readonly #api: Pick<Api, 'call'>;
  readonly #clock: Clock;
  readonly #byChannel = new Map<number, Entry>();

  constructor(api: Pick<Api, 'call'>, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** The topics of a channel; undefined until they are fetched. */
  watch(channelId: number): ReadonlySignal<readonly TopicOfChannel[] | undefined> {
    return this.#entry(channelId).topics;
  }

  /** The error of the last attempt to fetch a channel's topics. */
  failure(channelId: number): ReadonlySignal<Error | undefined> {
    return this.#entry(channelId).failure;
  }

  /** The topics of a channel if they are known and not old. */
  current(channelId: number): readonly TopicOfChannel[] | undefined {
    const { topics, fetchedAt } = this.#entry(channelId);
    return this.#clock.now() - fetchedAt < FRESH_MS ? topics.peek() : undefined;
  }

  /** Returns the topics of a channel; fetches them if they are unknown or old. */
  async of(channelId: number): Promise<readonly TopicOfChannel[]> {
    await this.refresh(channelId);
    return this.#entry(channelId).topics.peek() ?? [];
  }

  /** Fetches the topics of a channel, unless they are current. After a failure the known ones stay. */
  async refresh(channelId: number, isForced = false): Promise<void> {
    const entry = this.#entry(channelId);
    if (!isForced && this.current(channelId)) return;
    entry.fetching ??= this.#fetch(channelId, entry).finally(() => {
      entry.fetching = undefined;
    });
    await entry.fetching.catch((error: unknown) => {
      entry.failure.value = error instanceof Error ? error : new Error(String(error));
    });
  }

  async #fetch(channelId: number, entry: Entry): Promise<void> {
    const parameters = { stream_id: channelId, allow_empty_topic_name: true };
    const { topics } = await this.#api.call('GET', '/users/me/{stream_id}/topics', parameters);
    entry.topics.value = topics.map(({ name, max_id }) => ({ name, max_id: Number(max_id) }));
    entry.failure.value = undefined;
    entry.fetchedAt = this.#clock.now();
  }

  #entry(channelId: number): Entry {
    const known = this.#byChannel.get(channelId);
    if (known) return known;
    const made: Entry = {
      topics: signal(undefined),
      failure: signal(undefined),
      fetchedAt: Number.NEGATIVE_INFINITY,
      fetching: undefined,
    };
    this.#byChannel.set(channelId, made);
    return made;
  }
}
