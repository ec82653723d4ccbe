import { combined, type Packed } from '#kernel/gzip';
import type { Form, Leaf, Members, Shared } from './leaf.ts';
import type { Roster } from './people.ts';

/**
 * Neighbouring full leaves, with their text for everybody who may know of all people. Dozens of clients that ping in
 * turn need the same leaves; looking at each leaf and writing its text every time would take longer than everything
 * else about a ping.
 */
export class Run {
  /** The texts of the leaves that have members. */
  readonly parts: readonly Shared[];
  /** The newest update in them; undefined if they have no members. */
  readonly newest: number | undefined;
  /** The earliest last connection of a person in them, in seconds since 1970. */
  readonly oldest: number;
  readonly #leaves: readonly Leaf[];
  readonly #roster: Roster;
  #isAskedAgain = false;
  #joined: Joined | undefined;

  constructor(leaves: readonly Leaf[], roster: Roster, form: Form) {
    this.#leaves = leaves;
    this.#roster = roster;
    this.parts = leaves.map((leaf) => leaf.shared(roster, form)).filter(({ newest }) => newest !== undefined);
    this.newest = this.parts.at(-1)?.newest;
    this.oldest = this.parts.reduce((time, { oldest }) => Math.min(time, oldest), Number.POSITIVE_INFINITY);
  }

  /** Whether the run has exactly these leaves; the caller ensures that none of its leaves has changed. */
  isOf(leaves: readonly Leaf[], roster: Roster): boolean {
    const isSame = leaves[0] === this.#leaves[0] && leaves.at(-1) === this.#leaves.at(-1);
    return isSame && leaves.length === this.#leaves.length && roster === this.#roster;
  }

  /** Whether a leaf belongs to the run. */
  has(leaf: Leaf): boolean {
    const [first, last] = [this.#leaves[0], this.#leaves.at(-1)];
    return first !== undefined && last !== undefined && leaf.first >= first.first && leaf.first <= last.first;
  }

  /** The texts of the leaves; joined from the second call on. */
  get members(): readonly Members[] {
    if (this.#isAskedAgain && this.parts.length > 0) return [(this.#joined ??= new Joined(this.parts))];
    this.#isAskedAgain = true;
    return this.parts;
  }
}

/** Several texts joined to one. */
class Joined implements Members {
  readonly #parts: readonly Members[];
  #text: Buffer | undefined;
  #packed: Promise<Packed> | undefined;

  constructor(parts: readonly Members[]) {
    this.#parts = parts;
  }

  get text(): Buffer {
    this.#text ??= Buffer.concat(this.#parts.map(({ text }) => text));
    return this.#text;
  }

  get packed(): Promise<Packed> {
    this.#packed ??= this.#pack();
    return this.#packed;
  }

  async #pack(): Promise<Packed> {
    const all = combined(await Promise.all(this.#parts.map(({ packed }) => packed)));
    return { ...all, deflated: [Buffer.concat(all.deflated)] };
  }
}
