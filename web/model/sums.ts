import type { ConversationKey } from './keys.ts';

/** How much there is to read, and how much of it is about the reader. */
export interface Count {
  readonly unread: number;
  readonly mentions: number;
}

export const NO_COUNT: Count = { unread: 0, mentions: 0 };

/** Sums by name over what conversations add to them. One conversation changes, so one is worked on. */
export class Sums {
  readonly #parts = new Map<ConversationKey, Count>();
  readonly #sums = new Map<string, Count>();

  clear(): void {
    this.#parts.clear();
    this.#sums.clear();
  }

  of(name: string): Count {
    return this.#sums.get(name) ?? NO_COUNT;
  }

  /** What a conversation adds to these sums from now on. */
  set(key: ConversationKey, names: readonly string[], count: Count): void {
    const before = this.#parts.get(key) ?? NO_COUNT;
    if (count.unread === 0 && count.mentions === 0) this.#parts.delete(key);
    else this.#parts.set(key, count);
    for (const name of names) {
      const { unread, mentions } = this.of(name);
      this.#sums.set(name, {
        unread: unread + count.unread - before.unread,
        mentions: mentions + count.mentions - before.mentions,
      });
    }
  }
}
