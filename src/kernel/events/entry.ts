import type { RealmId } from '#kernel/ids';
import type { LogEntry } from '#kernel/store';
import type { Addressed, Audience } from './audience.ts';
import type { AnyEventType, Details } from './event.ts';
import type { View } from './view.ts';
import type { Viewer } from './viewer.ts';

const EMPTY: ReadonlySet<number> = new Set();
const NO_FLAGS: readonly string[] = [];

/** The JSON of one wire event, up to the place where flags and ID are added. */
export type EventPrefix = string;

/** Stands for a payload that is not JSON, or does not fit its declaration. */
export const UNREADABLE = Symbol('unreadable');

/** A payload as stored text, parsed on first use: a process reads all entries, and often no client of it gets them. */
export class StoredPayload {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read({ schema }: AnyEventType): unknown {
    try {
      const payload: unknown = JSON.parse(this.#text);
      return schema.safeParse(payload).success ? payload : UNREADABLE;
    } catch {
      return UNREADABLE;
    }
  }
}

/** Where an entry stands: its log, and the first and the last ID that its wire events may use. */
interface Placed {
  readonly realm_id: RealmId;
  readonly id: number;
  readonly last_id: number;
  /** Characters of its payload and details as JSON. */
  readonly size: number;
}

/**
 * One entry of the log, decoded; its JSON is made once for each variant that several people may get, while the entry is
 * among the newest: a thousand variants of each would fill the memory.
 */
export class Entry implements LogEntry, Addressed {
  readonly realm_id: RealmId;
  readonly id: number;
  /** Last ID that the entry's wire events may use; a client that has acknowledged it has the whole entry. */
  readonly last_id: number;
  /** Characters of its payload and details as JSON. */
  readonly size: number;
  readonly type: AnyEventType;
  readonly details: Details & { readonly audience: Audience };
  readonly users: ReadonlySet<number>;
  readonly except: ReadonlySet<number>;
  #payload: unknown;
  readonly #variants = new Map<string, readonly EventPrefix[]>();
  #isNew = true;
  /** Computed on first use. */
  #flags: FlagsOfEntry | undefined;

  constructor(
    { realm_id, id, last_id, size }: Placed,
    type: AnyEventType,
    payload: unknown,
    details: Details & { readonly audience: Audience },
  ) {
    this.realm_id = realm_id;
    this.id = id;
    this.last_id = last_id;
    this.size = size;
    this.type = type;
    this.#payload = payload;
    this.details = details;
    this.users = asSet(details.audience.users);
    this.except = asSet(details.audience.except);
  }

  /** The payload; `UNREADABLE` if the stored one is not JSON, or does not fit its declaration. */
  get payload(): unknown {
    if (this.#payload instanceof StoredPayload) this.#payload = this.#payload.read(this.type);
    return this.#payload;
  }

  /** The flags of one receiver; none for one who gets it only because they listen to all public channels. */
  flagsOf(userId: number, addressed: boolean): readonly string[] {
    if (!addressed) return NO_FLAGS;
    this.#flags ??= readFlags(this.details);
    return this.#flags.personal.get(userId) ?? this.#flags.all;
  }

  /** The wire events for this kind of client, as JSON without their closing part. */
  variant(view: View, viewer: Viewer): readonly EventPrefix[] {
    const { variesBy, variesByViewer } = this.type;
    const key = [...variesBy.map((name) => view[name]), ...variesByViewer.map((name) => factKey(viewer, name))].join();
    const known = this.#variants.get(key);
    if (known) return known;
    const { type, op } = this.type;
    const head = op === undefined ? { type } : { type, op };
    const made = this.type
      .wire(this.payload, { ...view, ...viewer })
      .map((wire) => JSON.stringify({ ...head, ...wire }).slice(0, -1));
    const isPersonal = variesByViewer.some((name) => name === 'user_id' || (name === 'hidden' && viewer.hidden));
    if (isPersonal) return made;
    if (!this.#isNew) this.#variants.clear();
    this.#variants.set(key, made);
    return made;
  }

  /** Keeps one variant from now on: nearly everybody has it already, and most clients are of one kind. */
  age(): void {
    this.#isNew = false;
    const [first] = this.#variants;
    this.#variants.clear();
    if (first) this.#variants.set(...first);
  }
}

/** Who has which flags of an entry. */
interface FlagsOfEntry {
  /** Flags of all receivers who are not in `personal`. */
  readonly all: readonly string[];
  readonly personal: ReadonlyMap<number, readonly string[]>;
}

function readFlags({ flags = {} }: Details): FlagsOfEntry {
  const all = Object.entries(flags).flatMap(([flag, who]) => (who === true ? [flag] : []));
  const personal = new Map<number, string[]>();
  for (const [flag, who] of Object.entries(flags)) {
    if (who === true) continue;
    for (const userId of who) {
      const own = personal.get(userId);
      if (own) own.push(flag);
      else personal.set(userId, [...all, flag]);
    }
  }
  return { all, personal };
}

function factKey(viewer: Viewer, name: 'role' | 'user_id' | 'hidden'): string | number {
  if (name === 'hidden') return viewer.hidden ? `u${viewer.user_id}` : '';
  return viewer[name];
}

function asSet(ids: readonly number[] | undefined): ReadonlySet<number> {
  return ids && ids.length > 0 ? new Set(ids) : EMPTY;
}
