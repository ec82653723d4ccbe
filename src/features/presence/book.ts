import type { UserId } from '#kernel/ids';
import type { PresenceRow } from './tables.ts';

/** Superseded entries that may pile up before the order is made anew. */
const MAX_WASTE = 1000;

/** A row of the book. */
export interface Entry {
  readonly row: PresenceRow;
  /** False once the person has a newer one. */
  isLast: boolean;
  /** The row as answers have it, once one had it: it is the same for everybody who asks in the next minute. */
  text: string | undefined;
}

/**
 * The presences of one organization in memory, as of one update. Invariants: `#order` ascends by `update_id`, and its
 * entries that are the last of their person are exactly those in `#last`.
 */
export class PresenceBook {
  readonly #last = new Map<UserId, Entry>();
  #order: Entry[] = [];

  /** The newest update that is in here; 0 when there is none. */
  get newest(): number {
    return this.#order.at(-1)?.row.update_id ?? 0;
  }

  find(userId: UserId): PresenceRow | undefined {
    return this.#last.get(userId)?.row;
  }

  /** Takes rows up, oldest update first; what is known already is left alone. */
  add(rows: readonly PresenceRow[]): void {
    for (const row of rows) {
      if (row.update_id <= this.newest) continue;
      const before = this.#last.get(row.user_id);
      if (before) before.isLast = false;
      const entry = { row, isLast: true, text: undefined };
      this.#last.set(row.user_id, entry);
      this.#order.push(entry);
    }
    if (this.#order.length > 2 * this.#last.size + MAX_WASTE) this.#order = this.#order.filter(isLast);
  }

  /** Rows written after an update, oldest first. */
  after(updateId: number): readonly Entry[] {
    return this.#order.slice(this.#firstAfter(updateId)).filter(isLast);
  }

  #firstAfter(updateId: number): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#order[middle]?.row.update_id ?? 0) > updateId) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const isLast = (entry: Entry): boolean => entry.isLast;
