import { pack, type Packed } from '#kernel/gzip';
import type { Company, Person } from './people.ts';
import type { PresenceRow } from './tables.ts';
import { toLegacy, toModern } from './to-wire.ts';

/** How a client wants presences: by user ID, or by address in the older form. */
export type Form = 'modern' | 'legacy';

/** A row of the book. */
export interface Entry {
  readonly row: PresenceRow;
  /** Where it stands. */
  readonly leaf: Leaf;
  /** False once the person has a newer one. */
  isLast: boolean;
  /** The row in the modern form, once somebody had it: it is the same for everybody who asks in the next minute. */
  modern: string | undefined;
}

/**
 * Entries of a leaf. With more of them each answer has more that is made for it alone: the end of its oldest leaf and the
 * newest leaf. With fewer it is put together from more pieces.
 */
export const LEAF_ENTRIES = 64;

/** Members of a JSON object, each after a comma, as bytes and compressed. */
export interface Members {
  readonly text: Buffer;
  readonly packed: Promise<Packed>;
}

/** What a full leaf says of a company's people, in one form: members of a JSON object, each after a comma. */
export class Shared implements Members {
  readonly company: Company;
  readonly text: Buffer;
  /** The newest update in it; undefined where it says nothing of anybody. */
  readonly newest: number | undefined;
  /** The longest time, in seconds since 1970, since which somebody in it was connected. */
  readonly oldest: number;
  #packed: Promise<Packed> | undefined;

  constructor(company: Company, entries: readonly Entry[], form: Form) {
    const told = entries.flatMap((entry) => {
      const person = entry.isLast && company.people.get(entry.row.user_id);
      return person ? [{ entry, person }] : [];
    });
    this.company = company;
    this.text = Buffer.from(told.map(({ entry, person }) => `,${memberText(entry, person, form)}`).join(''));
    this.newest = told.at(-1)?.entry.row.update_id;
    this.oldest = told.reduce(
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

/** Entries that stand together in the book. What a full leaf says is made once for all who ask, until it says less. */
export class Leaf {
  readonly entries: Entry[] = [];
  /** Entries that are the last of their person. */
  live = 0;
  readonly #shared = new Map<Form, Shared>();

  /** ID of its first update; 0 when there is none. */
  get first(): number {
    return this.entries[0]?.row.update_id ?? 0;
  }

  get isFull(): boolean {
    return this.entries.length >= LEAF_ENTRIES;
  }

  add(row: PresenceRow): Entry {
    const entry: Entry = { row, leaf: this, isLast: true, modern: undefined };
    this.entries.push(entry);
    this.live++;
    return entry;
  }

  /** Notes that somebody in it has a newer entry. */
  supersede(entry: Entry): void {
    entry.isLast = false;
    this.live--;
    this.#shared.clear();
  }

  shared(company: Company, form: Form): Shared {
    const known = this.#shared.get(form);
    if (known?.company === company) return known;
    const made = new Shared(company, this.entries, form);
    this.#shared.set(form, made);
    return made;
  }
}

/** One member of an answer's `presences`. */
export function memberText(entry: Entry, person: Person, form: Form): string {
  if (form === 'legacy') return `${JSON.stringify(person.email)}:${JSON.stringify(toLegacy(entry.row))}`;
  entry.modern ??= `"${person.user_id}":${JSON.stringify(toModern(entry.row, person.date_joined))}`;
  return entry.modern;
}
