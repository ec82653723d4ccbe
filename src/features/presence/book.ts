import type { UserId } from '#kernel/ids';
import type { PresenceRow } from './tables.ts';

/** Superseded entries that may pile up before the order is made anew. */
const MAX_WASTE = 1000;

/**
 * The presences of one organization in memory, as of one update. Invariants: `#order` ascends by `update_id`, and its
 * entries that are still in `#rows` are exactly the rows.
 */
export class PresenceBook {
  readonly #rows = new Map<UserId, PresenceRow>();
  #order: PresenceRow[] = [];

  /** The newest update that is in here; 0 when there is none. */
  get newest(): number {
    return this.#order.at(-1)?.update_id ?? 0;
  }

  find(userId: UserId): PresenceRow | undefined {
    return this.#rows.get(userId);
  }

  /** Takes rows up, oldest update first; what is known already is left alone. */
  add(rows: readonly PresenceRow[]): void {
    for (const row of rows) {
      if (row.update_id <= this.newest) continue;
      this.#rows.set(row.user_id, row);
      this.#order.push(row);
    }
    if (this.#order.length > 2 * this.#rows.size + MAX_WASTE)
      this.#order = this.#order.filter((row) => this.#isLast(row));
  }

  /** Rows written after an update, oldest first. */
  after(updateId: number): readonly PresenceRow[] {
    return this.#order.slice(this.#firstAfter(updateId)).filter((row) => this.#isLast(row));
  }

  #isLast(row: PresenceRow): boolean {
    return this.#rows.get(row.user_id) === row;
  }

  #firstAfter(updateId: number): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#order[middle]?.update_id ?? 0) > updateId) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
