import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Api, Clock } from '../api/index.ts';

/** A topic of a channel, and its newest message. */
export interface TopicOfChannel {
  readonly name: string;
  readonly max_id: number;
}

/** Milliseconds for which fetched topics count as current. */
const FRESH_MS = 10_000;

interface Shelf {
  readonly topics: Signal<readonly TopicOfChannel[] | undefined>;
  readonly failure: Signal<Error | undefined>;
  fetchedAt: number;
  fetching: Promise<void> | undefined;
}

/** The topics of channels, the newest first, as far as they were requested. */
export class ChannelTopics {
  readonly #api: Pick<Api, 'call'>;
  readonly #clock: Clock;
  readonly #shelves = new Map<number, Shelf>();

  constructor(api: Pick<Api, 'call'>, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** The topics of a channel; undefined until they are fetched. */
  watch(channelId: number): ReadonlySignal<readonly TopicOfChannel[] | undefined> {
    return this.#shelf(channelId).topics;
  }

  /** The error of the last attempt to fetch a channel's topics. */
  failure(channelId: number): ReadonlySignal<Error | undefined> {
    return this.#shelf(channelId).failure;
  }

  /** Returns the topics of a channel; fetches them if they are unknown or old. */
  async of(channelId: number): Promise<readonly TopicOfChannel[]> {
    await this.refresh(channelId);
    return this.#shelf(channelId).topics.peek() ?? [];
  }

  /** Fetches the topics of a channel, unless they are current. After a failure the known ones stay. */
  async refresh(channelId: number, isForced = false): Promise<void> {
    const shelf = this.#shelf(channelId);
    if (!isForced && this.#clock.now() - shelf.fetchedAt < FRESH_MS) return;
    shelf.fetching ??= this.#fetch(channelId, shelf).finally(() => {
      shelf.fetching = undefined;
    });
    await shelf.fetching.catch((error: unknown) => {
      shelf.failure.value = error instanceof Error ? error : new Error(String(error));
    });
  }

  async #fetch(channelId: number, shelf: Shelf): Promise<void> {
    const parameters = { stream_id: channelId, allow_empty_topic_name: true };
    const { topics } = await this.#api.call('GET', '/users/me/{stream_id}/topics', parameters);
    shelf.topics.value = topics.map(({ name, max_id }) => ({ name, max_id: Number(max_id) }));
    shelf.failure.value = undefined;
    shelf.fetchedAt = this.#clock.now();
  }

  #shelf(channelId: number): Shelf {
    const known = this.#shelves.get(channelId);
    if (known) return known;
    const made: Shelf = {
      topics: signal(undefined),
      failure: signal(undefined),
      fetchedAt: Number.NEGATIVE_INFINITY,
      fetching: undefined,
    };
    this.#shelves.set(channelId, made);
    return made;
  }
}
