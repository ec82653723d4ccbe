import { pack, type Packed } from '#kernel/gzip';
import type { RealmPeople, Person } from './people.ts';
import type { PresenceRow } from './tables.ts';
import { toLegacy, toModern } from './to-wire.ts';

/** The form of presences that a client wants: by user ID, or by address in the older form. */
export type Form = 'modern' | 'legacy';

/** A row of the list. */
export interface ChunkEntry {
  readonly row: PresenceRow;
  /** The chunk that contains it. */
  readonly chunk: Chunk;
  /** False once the person has a newer one. */
  isLast: boolean;
  /**
   * The row's text in the modern form, cached when first needed: everybody who asks in the next minute gets the same.
   */
  modern: string | undefined;
}

/**
 * Entries per chunk. With more entries, more of each answer must be built individually: the end of its oldest chunk and
 * the newest chunk. With fewer entries, an answer has more parts.
 */
export const CHUNK_ENTRIES = 64;

/** Members of a JSON object, each preceded by a comma, as bytes and compressed. */
export interface Members {
  readonly text: Buffer;
  readonly packed: Promise<Packed>;
}

/**
 * The text of a full chunk about the people of an organization, in one form: members of a JSON object, each preceded by
 * a comma.
 */
export class ChunkText implements Members {
  readonly people: RealmPeople;
  readonly text: Buffer;
  /** The newest update in it; undefined if it has no members. */
  readonly newest: number | undefined;
  /** The earliest last connection of a person in it, in seconds since 1970. */
  readonly oldest: number;
  #packed: Promise<Packed> | undefined;

  constructor(people: RealmPeople, entries: readonly ChunkEntry[], form: Form) {
    const shown = entries.flatMap((entry) => {
      const person = entry.isLast && people.byId.get(entry.row.user_id);
      return person ? [{ entry, person }] : [];
    });
    this.people = people;
    this.text = Buffer.from(shown.map(({ entry, person }) => `,${memberText(entry, person, form)}`).join(''));
    this.newest = shown.at(-1)?.entry.row.update_id;
    this.oldest = shown.reduce(
      (time, { entry }) => Math.min(time, entry.row.last_connected_at),
      Number.POSITIVE_INFINITY,
    );
  }

  /** The text, compressed. */
  get packed(): Promise<Packed> {
    this.#packed ??= pack(this.text);
    return this.#packed;
  }
}

/**
 * Neighbouring entries of the list. The text of a full chunk is built once for all callers, until one of its entries is
 * superseded.
 */
export class Chunk {
  readonly entries: ChunkEntry[] = [];
  /** Number of entries that are their person's last. */
  live = 0;
  readonly #shared = new Map<Form, ChunkText>();

  /** ID of the chunk's first update; 0 if it is empty. */
  get first(): number {
    return this.entries[0]?.row.update_id ?? 0;
  }

  get isFull(): boolean {
    return this.entries.length >= CHUNK_ENTRIES;
  }

  add(row: PresenceRow): ChunkEntry {
    const entry: ChunkEntry = { row, chunk: this, isLast: true, modern: undefined };
    this.entries.push(entry);
    this.live++;
    return entry;
  }

  /** Notes that the person of an entry has a newer entry. */
  supersede(entry: ChunkEntry): void {
    entry.isLast = false;
    this.live--;
    this.#shared.clear();
  }

  shared(people: RealmPeople, form: Form): ChunkText {
    const known = this.#shared.get(form);
    if (known?.people === people) return known;
    const made = new ChunkText(people, this.entries, form);
    this.#shared.set(form, made);
    return made;
  }
}

/** One member of an answer's `presences`. */
export function memberText(entry: ChunkEntry, person: Person, form: Form): string {
  if (form === 'legacy') return `${JSON.stringify(person.email)}:${JSON.stringify(toLegacy(entry.row))}`;
  entry.modern ??= `"${person.user_id}":${JSON.stringify(toModern(entry.row, person.date_joined))}`;
  return entry.modern;
}
