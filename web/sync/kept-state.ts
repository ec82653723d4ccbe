import type { AnyEvent, RegisterState } from '../model/index.ts';
import type { AccountStorage, StoredState } from './storage.ts';

/** Events stored beside the state before both are replaced by the current state. */
const MAX_EVENTS = 2000;

/** The queue of the stored state, and its content unless the tab shows it already. */
interface Loaded {
  readonly queueId: string;
  readonly content?: StoredState;
}

/** Keeps the stored state complete: a state, and every event after it. */
export class KeptState {
  readonly #storage: AccountStorage;
  #events = 0;
  /** Whether all events so far are stored. */
  #isComplete = true;
  /** The queue of the state that the tab shows. */
  #shownQueueId: string | undefined;

  constructor(storage: AccountStorage) {
    this.#storage = storage;
  }

  /** Loads what is stored; undefined if that is nothing, or has no queue that goes on. `position` is the tab's newest event. */
  async load(position: number): Promise<Loaded | undefined> {
    const at = await this.#storage.position().catch(() => undefined);
    if (!at || at.queueId === null) return undefined;
    this.#events = at.count;
    // Loading what is already known would take long, and invalidate all messages.
    if (at.queueId === this.#shownQueueId && at.newest <= position) return { queueId: at.queueId };
    const content = await this.#storage.load().catch(() => undefined);
    return content && content.queueId !== null ? { queueId: content.queueId, content } : undefined;
  }

  /** Notes that the tab shows a state with this queue, and whose events follow on it. */
  isShown(queueId: string | null): void {
    this.#shownQueueId = queueId ?? undefined;
  }

  /** Stores a whole state in place of what is stored. */
  replace(state: RegisterState, queueId: string | null): Promise<void> {
    this.#events = 0;
    return this.#saved(this.#storage.saveState(state, queueId));
  }

  /** Makes the next events store the whole state, because others before them are not stored. */
  distrust(): void {
    this.#events = MAX_EVENTS;
  }

  /** Stores events, or the whole state after them if there are too many. */
  async add(events: readonly AnyEvent[], whole: () => RegisterState, queueId: string | null): Promise<void> {
    this.#events += events.length;
    if (this.#events > MAX_EVENTS) await this.replace(whole(), queueId);
    else if (this.#isComplete) await this.#saved(this.#storage.append(events));
  }

  /** Deletes all stored data but unsent messages. */
  forget(): Promise<void> {
    return this.#storage.forget().catch(() => undefined);
  }

  /** If something cannot be stored, all stored data is deleted, because nobody would notice a gap in it later. */
  async #saved(saving: Promise<void>): Promise<void> {
    this.#isComplete = await saving.then(
      () => true,
      () => false,
    );
    if (!this.#isComplete) await this.forget();
  }
}
