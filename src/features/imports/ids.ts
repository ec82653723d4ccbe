import { NumberSet } from '#kernel/lists';
import { asId, type Id } from '#kernel/ids';
import type { Entry } from './entry.ts';
import { ImportRefused } from './entry.ts';

/** IDs left free above those that there are: a server beside the command may give some out until they are reserved. */
const GAP = 1000;
/** Highest ID that a row of an archive gets; the range above is for what all organizations of the server make later. */
const MAX_IMPORTED = 1_500_000_000;

/**
 * The IDs that items of an archive get here: their own if these are free, else the same ones moved above all existing
 * IDs, so that their order stays.
 */
export class IdMap<T extends Id<string>> {
  readonly offset: number;
  readonly #known = new NumberSet();
  /** What is here already, by the ID there. */
  #isUnmoved = false;
  #joined: ReadonlyMap<number, T> | undefined;
  #newest: number;

  constructor(what: string, ids: readonly number[], newestHere: number) {
    for (const id of ids) this.#known.add(id);
    if (this.#known.size < ids.length) throw new ImportRefused(`two ${what} of the archive have the same ID`);
    const [first, last] = [ids.reduce((a, b) => Math.min(a, b), Infinity), ids.reduce((a, b) => Math.max(a, b), 0)];
    this.offset = ids.length === 0 || first > newestHere ? 0 : newestHere + GAP - first + 1;
    this.#newest = Math.max(newestHere, last + this.offset);
    if (last > MAX_IMPORTED)
      throw new ImportRefused(
        `the archive has ${what} with IDs above ${MAX_IMPORTED}, which would leave too few to others`,
      );
    if (last + this.offset > MAX_IMPORTED)
      throw new ImportRefused(`the IDs of ${what} have no room above those that there are`);
  }

  /** A map of items that all exist here already. */
  static joined<T extends Id<string>>(what: string, ids: ReadonlyMap<number, T>): IdMap<T> {
    const map = new IdMap<T>(what, [], 0);
    map.#joined = ids;
    return map;
  }

  /** A map of items that keep the archive's IDs until they are stored. */
  static unmoved<T extends Id<string>>(what: string): IdMap<T> {
    const map = new IdMap<T>(what, [], 0);
    map.#isUnmoved = true;
    return map;
  }

  /** Returns the ID here for an ID in the archive; undefined if the archive does not have it. */
  of(id: number | null): T | undefined {
    if (this.#isUnmoved && id !== null) return asId<T>(id);
    if (this.#joined) return id === null ? undefined : this.#joined.get(id);
    return id !== null && this.#known.has(id) ? asId<T>(id + this.offset) : undefined;
  }

  orNull(id: number | null): T | null {
    return this.of(id) ?? null;
  }

  /** Returns an unused ID, for an item that the archive does not have. */
  fresh(): T {
    this.#newest++;
    return asId<T>(this.#newest);
  }

  get newest(): number {
    return this.#newest;
  }
}

export const idsIn = (rows: readonly Entry[], name = 'id'): readonly number[] => rows.map((row) => row.id(name));
