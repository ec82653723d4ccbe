import type { Viewer } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { type ChunkEntry, type Form, Chunk, CHUNK_ENTRIES, type Members, memberText, type ChunkText } from './chunk.ts';
import type { RealmPeople } from './people.ts';
import { ChunkRange } from './chunk-range.ts';
import type { PresenceRow } from './tables.ts';

/** Superseded entries that may accumulate before the chunks are rebuilt. */
const MAX_WASTE = 1000;

/** Which presences are selected. */
export interface PresenceQuery {
  readonly form: Form;
  readonly people: RealmPeople;
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
 * The presences of one organization in memory, as of one update. Invariants: across all chunks, entries ascend by
 * `update_id`, and `#last` has exactly each person's last entry.
 */
export class PresenceList {
  readonly #last = new Map<UserId, ChunkEntry>();
  #chunks: Chunk[] = [];
  /** The latest range of each form, until one of its chunks changes. */
  readonly #ranges = new Map<Form, ChunkRange>();
  #newest = 0;

  /** The newest update in the list; 0 if there is none. */
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
    // All chunks but the last are full.
    if (this.#chunks.length * CHUNK_ENTRIES > 2 * this.#last.size + MAX_WASTE) this.#rebuild();
  }

  /** The presences that a caller does not have. */
  select(query: PresenceQuery): PresenceAnswer {
    const { after, since, hidden, people, form } = query;
    const own: string[] = [];
    const shared: (ChunkRange | ChunkText)[] = [];
    let newest: number | undefined;
    for (const section of this.#sections(query)) {
      if (!(section instanceof Chunk)) {
        newest = section.newest ?? newest;
        if (section.newest !== undefined) shared.push(section);
        continue;
      }
      for (const entry of section.entries) {
        const { user_id, update_id, last_connected_at } = entry.row;
        if (!entry.isLast || update_id <= after || last_connected_at < since) continue;
        const person = people.byId.get(user_id);
        if (!person) continue;
        newest = update_id;
        if (!hidden?.has(user_id)) own.push(memberText(entry, person, form));
      }
    }
    // Without own members, the first shared part must be a single text, because its leading comma is removed.
    const partsOf = (range: ChunkRange) => (own.length === 0 ? range.parts : range.members);
    return {
      own: own.join(),
      shared: shared.flatMap((one) => (one instanceof ChunkRange ? partsOf(one) : one)),
      newest,
    };
  }

  /**
   * Splits the answer into chunks of which only some entries belong to it, and shared texts of a whole chunk or of a
   * range of chunks.
   */
  #sections({ after, since, hidden, people, form }: PresenceQuery): readonly (Chunk | ChunkRange | ChunkText)[] {
    const chunks = this.#chunks.slice(this.#firstAfter(after));
    if (hidden !== undefined) return chunks;
    const begin = chunks[0] && isWhole(chunks[0], after) ? 0 : 1;
    const end = chunks.at(-1)?.isFull ? chunks.length : chunks.length - 1;
    if (begin >= end) return chunks;
    const range = this.#rangeOf(chunks.slice(begin, end), people, form);
    if (range.oldest >= since) return [...chunks.slice(0, begin), range, ...chunks.slice(end)];
    return chunks.map((chunk) => {
      const all = isWhole(chunk, after) ? chunk.shared(people, form) : undefined;
      return all && all.oldest >= since ? all : chunk;
    });
  }

  #rangeOf(chunks: readonly Chunk[], people: RealmPeople, form: Form): ChunkRange {
    const known = this.#ranges.get(form);
    if (known?.isOf(chunks, people)) return known;
    const made = new ChunkRange(chunks, people, form);
    this.#ranges.set(form, made);
    return made;
  }

  #append(row: PresenceRow): void {
    let chunk = this.#chunks.at(-1);
    if (!chunk || chunk.isFull) this.#chunks.push((chunk = new Chunk()));
    this.#last.set(row.user_id, chunk.add(row));
    this.#newest = row.update_id;
  }

  #supersede(entry: ChunkEntry): void {
    entry.chunk.supersede(entry);
    for (const [form, range] of this.#ranges) if (range.has(entry.chunk)) this.#ranges.delete(form);
    if (entry.chunk.live === 0 && entry.chunk.isFull) this.#chunks = this.#chunks.filter(({ live }) => live > 0);
  }

  /** Moves the remaining entries of all chunks to new ones. */
  #rebuild(): void {
    const rows = this.#chunks.flatMap(({ entries }) => entries.filter(({ isLast }) => isLast).map(({ row }) => row));
    this.#chunks = [];
    this.#ranges.clear();
    for (const row of rows) this.#append(row);
  }

  /** Index of the first chunk with an update newer than the given one. */
  #firstAfter(updateId: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#chunks[middle]?.entries.at(-1)?.row.update_id ?? 0) > updateId) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Whether all updates of a chunk are newer than the given one, and it is full. */
function isWhole(chunk: Chunk, after: number): boolean {
  return chunk.isFull && chunk.first > after;
}
