import { batch, computed, signal } from '@preact/signals';
import { conversationIn, isLocal, type Narrow, narrowKey } from './narrow.ts';
import { cut, type Span, spanAt, type Spans, withMessage, withoutMessages, withSpan } from './spans.ts';

/** What the server answered: the messages around an anchor. */
export interface Fetched {
  readonly ids: readonly number[];
  /** The place they were asked around: an ID, Infinity for the newest. */
  readonly anchor: number;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

const NOTHING: Span = { from: 1, to: 0, ids: [] };

/** The messages of one narrow as far as they are known, and which of them are looked at. */
export class MessageWindow {
  readonly narrow: Narrow;
  readonly key: string;
  /** Whether a new message can be told to belong here without asking. */
  readonly isLocal: boolean;
  readonly #spans = signal<Spans>([]);
  /** A place within the span that is looked at. */
  readonly #focus = signal(Number.POSITIVE_INFINITY);
  /** What is shown while nothing is known any more, until it is known again. */
  readonly #faded = signal<readonly number[]>([]);
  /** Set when the last attempt to fetch failed. */
  readonly failure = signal<Error | undefined>(undefined);
  readonly isLoading = signal(false);

  readonly #shown = computed(() => spanAt(this.#spans.value, this.#focus.value) ?? NOTHING);
  /** IDs of the messages in view, ascending and without a gap. */
  readonly ids = computed(() => (this.isKnown.value ? this.#shown.value.ids : this.#faded.value));
  /** Whether anything has been fetched around the place that is looked at. */
  readonly isKnown = computed(() => this.#shown.value !== NOTHING);
  readonly foundOldest = computed(() => this.#shown.value.from === 0);
  readonly foundNewest = computed(() => this.#shown.value.to === Number.POSITIVE_INFINITY);

  constructor(narrow: Narrow) {
    this.narrow = narrow;
    this.key = narrowKey(narrow);
    this.isLocal = isLocal(narrow);
  }

  /** The conversation that this is, if it is one. */
  conversation(me: number): ReturnType<typeof conversationIn> {
    return conversationIn(this.narrow, me);
  }

  /** All spans, ascending. */
  get spans(): Spans {
    return this.#spans.peek();
  }

  /** Looks at another place. Returns whether it is known already. */
  look(at: number): boolean {
    this.#focus.value = at;
    return this.isKnown.peek();
  }

  /** Takes over what was fetched, and looks at it when nothing else is looked at. */
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

  /** A message that belongs here. Whether its place is known. */
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

  /** Shows what was seen at an earlier time until it has been fetched anew. */
  showKept(ids: readonly number[]): void {
    if (!this.isKnown.peek()) this.#faded.value = ids;
  }

  /** Nothing is known for sure any more: what is in view stays there until it has been fetched anew. */
  doubt(): void {
    batch(() => {
      this.#faded.value = this.ids.peek();
      this.#spans.value = [];
    });
  }

  /** New messages may have come of which only the server knows whether they belong here. */
  doubtNewest(): void {
    const spans = this.#spans.peek();
    this.#spans.value = spans.map((one) =>
      one.to === Number.POSITIVE_INFINITY ? { ...one, to: one.ids.at(-1) ?? one.from } : one,
    );
  }

  /** Forgets all but the newest or oldest messages of what is looked at. */
  trim(count: number, keep: 'newest' | 'oldest'): void {
    const shown = this.#shown.peek();
    if (shown.ids.length <= count) return;
    const kept = cut(shown, count, keep);
    batch(() => {
      this.#spans.value = [kept];
      this.#focus.value = keep === 'newest' ? kept.to : kept.from;
    });
  }
}
