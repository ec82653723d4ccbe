import type { Viewer } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { type Entry, type Form, Leaf, LEAF_ENTRIES, type Members, memberText, type Shared } from './leaf.ts';
import type { Roster } from './people.ts';
import { Run } from './run.ts';
import type { PresenceRow } from './tables.ts';

/** Superseded entries that may accumulate before the leaves are rebuilt. */
const MAX_WASTE = 1000;

/** A query of the book. */
export interface Question {
  readonly form: Form;
  readonly roster: Roster;
  /** Only presences that were written after this update. */
  readonly after: number;
  /** Only people who were connected since this time, in seconds since 1970. */
  readonly since: number;
  /** Users hidden from the caller. */
  readonly hidden: Viewer['hidden'];
}

/** Presences as members of a JSON object, in no order. */
export interface PresenceAnswer {
  /** Members that were built for this caller alone, joined by commas. */
  readonly own: string;
  /** Members that are shared with other callers. */
  readonly shared: readonly Members[];
  /** The newest update among them, including hidden people; undefined if there is none. */
  readonly newest: number | undefined;
}

/**
 * The presences of one organization in memory, as of one update. Invariants: across all leaves, entries ascend by
 * `update_id`, and `#last` has exactly each person's last entry.
 */
export class PresenceBook {
  readonly #last = new Map<UserId, Entry>();
  #leaves: Leaf[] = [];
  /** The latest run of each form, until one of its leaves changes. */
  readonly #runs = new Map<Form, Run>();
  #newest = 0;

  /** The newest update in the book; 0 if there is none. */
  get newest(): number {
    return this.#newest;
  }

  find(userId: UserId): PresenceRow | undefined {
    return this.#last.get(userId)?.row;
  }

  /** Adds rows, oldest update first; skips rows that are already known. */
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

  /** The presences of the roster's people that a caller does not have. */
  tell(question: Question): PresenceAnswer {
    const { after, since, hidden, roster, form } = question;
    const own: string[] = [];
    const shared: (Run | Shared)[] = [];
    let newest: number | undefined;
    for (const section of this.#sections(question)) {
      if (!(section instanceof Leaf)) {
        newest = section.newest ?? newest;
        if (section.newest !== undefined) shared.push(section);
        continue;
      }
      for (const entry of section.entries) {
        const { user_id, update_id, last_connected_at } = entry.row;
        if (!entry.isLast || update_id <= after || last_connected_at < since) continue;
        const person = roster.people.get(user_id);
        if (!person) continue;
        newest = update_id;
        if (!hidden?.has(user_id)) own.push(memberText(entry, person, form));
      }
    }
    // Without own members, the first shared part must be a single text, because its leading comma is removed.
    const partsOf = (run: Run) => (own.length === 0 ? run.parts : run.members);
    return { own: own.join(), shared: shared.flatMap((one) => (one instanceof Run ? partsOf(one) : one)), newest };
  }

  /**
   * Splits the answer into leaves of which only some entries belong to it, and shared texts of a whole leaf or of a run
   * of leaves.
   */
  #sections({ after, since, hidden, roster, form }: Question): readonly (Leaf | Run | Shared)[] {
    const leaves = this.#leaves.slice(this.#firstAfter(after));
    if (hidden !== undefined) return leaves;
    const begin = leaves[0] && isWhole(leaves[0], after) ? 0 : 1;
    const end = leaves.at(-1)?.isFull ? leaves.length : leaves.length - 1;
    if (begin >= end) return leaves;
    const run = this.#runOf(leaves.slice(begin, end), roster, form);
    if (run.oldest >= since) return [...leaves.slice(0, begin), run, ...leaves.slice(end)];
    return leaves.map((leaf) => {
      const all = isWhole(leaf, after) ? leaf.shared(roster, form) : undefined;
      return all && all.oldest >= since ? all : leaf;
    });
  }

  #runOf(leaves: readonly Leaf[], roster: Roster, form: Form): Run {
    const known = this.#runs.get(form);
    if (known?.isOf(leaves, roster)) return known;
    const made = new Run(leaves, roster, form);
    this.#runs.set(form, made);
    return made;
  }

  #append(row: PresenceRow): void {
    let leaf = this.#leaves.at(-1);
    if (!leaf || leaf.isFull) this.#leaves.push((leaf = new Leaf()));
    this.#last.set(row.user_id, leaf.add(row));
    this.#newest = row.update_id;
  }

  #supersede(entry: Entry): void {
    entry.leaf.supersede(entry);
    for (const [form, run] of this.#runs) if (run.has(entry.leaf)) this.#runs.delete(form);
    if (entry.leaf.live === 0 && entry.leaf.isFull) this.#leaves = this.#leaves.filter(({ live }) => live > 0);
  }

  /** Moves the remaining entries of all leaves to new ones. */
  #bindAnew(): void {
    const rows = this.#leaves.flatMap(({ entries }) => entries.filter(({ isLast }) => isLast).map(({ row }) => row));
    this.#leaves = [];
    this.#runs.clear();
    for (const row of rows) this.#append(row);
  }

  /** Index of the first leaf with an update newer than the given one. */
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

/** Whether all updates of a leaf are newer than the given one, and it is full. */
function isWhole(leaf: Leaf, after: number): boolean {
  return leaf.isFull && leaf.first > after;
}
