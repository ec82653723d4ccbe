import { batch, computed, signal } from '@preact/signals';
import { conversationIn, isLocal, type Narrow, narrowKey } from './narrow.ts';
import { cut, type Span, spanAt, type Spans, withMessage, withoutMessages, withSpan } from './spans.ts';

/** A reply with the messages around an anchor. */
export interface Fetched {
  readonly ids: readonly number[];
  /** The anchor: an ID, Infinity for the newest. */
  readonly anchor: number;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

const NOTHING: Span = { from: 1, to: 0, ids: [] };

/** The known messages of one narrow, and the part of them that is in view. */
export class MessageWindow {
  readonly narrow: Narrow;
  readonly key: string;
  /** Whether the client can decide without the server whether a new message belongs here. */
  readonly isLocal: boolean;
  readonly #spans = signal<Spans>([]);
  /** An ID within the span in view. */
  readonly #focus = signal(Number.POSITIVE_INFINITY);
  /** Messages that are shown while their range is not known. */
  readonly #faded = signal<readonly number[]>([]);
  /** Contents of messages with the searched words highlighted. */
  readonly matches = new Map<number, string>();
  /** Set when the last attempt to fetch failed. */
  readonly failure = signal<Error | undefined>(undefined);
  readonly isLoading = signal(false);

  readonly #shown = computed(() => spanAt(this.#spans.value, this.#focus.value) ?? NOTHING);
  /** IDs of the messages in view, ascending and without a gap. */
  readonly ids = computed(() => (this.isKnown.value ? this.#shown.value.ids : this.#faded.value));
  /** Whether the messages around the place in view are known. */
  readonly isKnown = computed(() => this.#shown.value !== NOTHING);
  readonly foundOldest = computed(() => this.#shown.value.from === 0);
  readonly foundNewest = computed(() => this.#shown.value.to === Number.POSITIVE_INFINITY);

  constructor(narrow: Narrow) {
    this.narrow = narrow;
    this.key = narrowKey(narrow);
    this.isLocal = isLocal(narrow);
  }

  /** Returns the conversation that this narrow consists of, if it is one. */
  conversation(me: number): ReturnType<typeof conversationIn> {
    return conversationIn(this.narrow, me);
  }

  /** All spans, ascending. */
  get spans(): Spans {
    return this.#spans.peek();
  }

  /** Moves the view to another place. Returns whether it is known. */
  look(at: number): boolean {
    this.#focus.value = at;
    return this.isKnown.peek();
  }

  /** Adds the messages of a reply, without moving the view. */
  add({ ids, anchor, foundOldest, foundNewest }: Fetched): void {
    const before = ids.filter((id) => id <= anchor);
    const after = ids.filter((id) => id >= anchor);
    const from = foundOldest ? 0 : (before[0] ?? anchor);
    const to = foundNewest ? Number.POSITIVE_INFINITY : (after.at(-1) ?? anchor);
    batch(() => {
      this.#spans.value = withSpan(this.#spans.peek(), { from, to, ids });
      this.#faded.value = [];
    });
  }

  /** Inserts a message that belongs here; returns whether its place is known. */
  insert(id: number): boolean {
    const next = withMessage(this.#spans.peek(), id);
    this.#spans.value = next;
    return spanAt(next, id) !== undefined;
  }

  remove(ids: ReadonlySet<number>): void {
    const next = withoutMessages(this.#spans.peek(), ids);
    if (next !== this.#spans.peek()) this.#spans.value = next;
    if (this.#faded.peek().some((id) => ids.has(id)))
      this.#faded.value = this.#faded.peek().filter((id) => !ids.has(id));
  }

  /** Shows stored messages until they are fetched. */
  showStored(ids: readonly number[]): void {
    if (!this.isKnown.peek()) this.#faded.value = ids;
  }

  /** Invalidates all spans; messages in view stay visible until they are fetched again. */
  markStale(): void {
    batch(() => {
      this.#faded.value = this.ids.peek();
      this.#spans.value = [];
    });
  }

  /**
   * Invalidates what follows the newest known message, because only the server knows whether new messages belong here.
   */
  markNewestStale(): void {
    const spans = this.#spans.peek();
    this.#spans.value = spans.map((one) =>
      one.to === Number.POSITIVE_INFINITY ? { ...one, to: one.ids.at(-1) ?? one.from } : one,
    );
  }

  /** Keeps the newest or oldest messages in view and removes the rest. */
  trim(count: number, keep: 'newest' | 'oldest'): void {
    const shown = this.#shown.peek();
    if (shown.ids.length <= count) return;
    const rest = cut(shown, count, keep);
    batch(() => {
      this.#spans.value = [rest];
      this.#focus.value = keep === 'newest' ? rest.to : rest.from;
    });
  }
}
