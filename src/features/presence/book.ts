import type { Viewer } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { type Entry, type Form, Leaf, LEAF_ENTRIES, memberText, type Shared } from './leaf.ts';
import type { Company } from './people.ts';
import type { PresenceRow } from './tables.ts';

/** Superseded entries that may pile up before the leaves are made anew. */
const MAX_WASTE = 1000;

/** What somebody asks of the book. */
export interface Question {
  readonly form: Form;
  readonly company: Company;
  /** Only what was written after this update. */
  readonly after: number;
  /** Only who was connected since this time, in seconds since 1970. */
  readonly since: number;
  /** Whom the caller must not know of. */
  readonly hidden: Viewer['hidden'];
}

/** Presences as members of a JSON object, in no order. */
export interface Told {
  /** Those that were written out for this caller alone, joined by commas. */
  readonly own: string;
  /** Those that others get too. */
  readonly shared: readonly Shared[];
  /** The newest update among them, and among what was hidden; undefined when there is none. */
  readonly newest: number | undefined;
}

/**
 * The presences of one organization in memory, as of one update. Invariants: entries of the leaves, one leaf after the
 * other, ascend by `update_id`, and those that are the last of their person are exactly those in `#last`.
 */
export class PresenceBook {
  readonly #last = new Map<UserId, Entry>();
  #leaves: Leaf[] = [];
  #newest = 0;

  /** The newest update that is in here; 0 when there is none. */
  get newest(): number {
    return this.#newest;
  }

  find(userId: UserId): PresenceRow | undefined {
    return this.#last.get(userId)?.row;
  }

  /** Takes rows up, oldest update first; what is known already is left alone. */
  add(rows: readonly PresenceRow[]): void {
    for (const row of rows) {
      if (row.update_id <= this.#newest) continue;
      const before = this.#last.get(row.user_id);
      if (before) this.#supersede(before);
      this.#append(row);
    }
    // All leaves but the last are full.
    if (this.#leaves.length * LEAF_ENTRIES > 2 * this.#last.size + MAX_WASTE) this.#bindAnew();
  }

  /** Presences of the company's people that a caller does not have. */
  tell(question: Question): Told {
    const { after, since, hidden, company, form } = question;
    const own: string[] = [];
    const shared: Shared[] = [];
    let newest: number | undefined;
    for (const leaf of this.#leaves.slice(this.#firstAfter(after))) {
      const all = hidden === undefined && isWhole(leaf, after) ? leaf.shared(company, form) : undefined;
      if (all && all.oldest >= since) {
        newest = all.newest ?? newest;
        if (all.newest !== undefined) shared.push(all);
        continue;
      }
      for (const entry of leaf.entries) {
        const { user_id, update_id, last_connected_at } = entry.row;
        const person = company.people.get(user_id);
        if (!entry.isLast || update_id <= after || last_connected_at < since || !person) continue;
        newest = update_id;
        if (!hidden?.has(user_id)) own.push(memberText(entry, person, form));
      }
    }
    return { own: own.join(), shared, newest };
  }

  #append(row: PresenceRow): void {
    let leaf = this.#leaves.at(-1);
    if (!leaf || leaf.isFull) this.#leaves.push((leaf = new Leaf()));
    this.#last.set(row.user_id, leaf.add(row));
    this.#newest = row.update_id;
  }

  #supersede(entry: Entry): void {
    entry.leaf.supersede(entry);
    if (entry.leaf.live === 0 && entry.leaf.isFull) this.#leaves = this.#leaves.filter(({ live }) => live > 0);
  }

  /** Puts what is left of old leaves on new ones. */
  #bindAnew(): void {
    const rows = this.#leaves.flatMap(({ entries }) => entries.filter(({ isLast }) => isLast).map(({ row }) => row));
    this.#leaves = [];
    for (const row of rows) this.#append(row);
  }

  /** Index of the first leaf that has something newer than an update. */
  #firstAfter(updateId: number): number {
    let low = 0;
    let high = this.#leaves.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#leaves[middle]?.entries.at(-1)?.row.update_id ?? 0) > updateId) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Whether all of a leaf is newer than an update, and nothing will be added to it. */
function isWhole(leaf: Leaf, after: number): boolean {
  return leaf.isFull && (leaf.entries[0]?.row.update_id ?? 0) > after;
}
