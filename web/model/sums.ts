import type { ConversationKey } from './keys.ts';

/** The number of unread messages, and how many of them mention the reader. */
export interface Count {
  readonly unread: number;
  readonly mentions: number;
}

export const NO_COUNT: Count = { unread: 0, mentions: 0 };

/** Sums by name over conversations, updated by one conversation at a time. */
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

  /** Sets what a conversation contributes, and to which sums. */
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
