import { combined, type Packed } from '#kernel/gzip';
import type { Form, Leaf, Members, Shared } from './leaf.ts';
import type { Company } from './people.ts';

/**
 * Full leaves next to each other, and what all who may know everybody are told of them. Some dozens who ping in turn are
 * told of the same ones: to look at each leaf, and to write what it says, would take longer than all else about a ping.
 */
export class Run {
  /** What the leaves say that say anything. */
  readonly parts: readonly Shared[];
  /** The newest update in them; undefined where they say nothing of anybody. */
  readonly newest: number | undefined;
  /** The longest time, in seconds since 1970, since which somebody in them was connected. */
  readonly oldest: number;
  readonly #leaves: readonly Leaf[];
  readonly #company: Company;
  #isAskedAgain = false;
  #joined: Joined | undefined;

  constructor(leaves: readonly Leaf[], company: Company, form: Form) {
    this.#leaves = leaves;
    this.#company = company;
    this.parts = leaves.map((leaf) => leaf.shared(company, form)).filter(({ newest }) => newest !== undefined);
    this.newest = this.parts.at(-1)?.newest;
    this.oldest = this.parts.reduce((time, { oldest }) => Math.min(time, oldest), Number.POSITIVE_INFINITY);
  }

  /** Whether it is of these leaves, given that none of its own has changed. */
  isOf(leaves: readonly Leaf[], company: Company): boolean {
    const isSame = leaves[0] === this.#leaves[0] && leaves.at(-1) === this.#leaves.at(-1);
    return isSame && leaves.length === this.#leaves.length && company === this.#company;
  }

  /** Whether a leaf is one of these. */
  has(leaf: Leaf): boolean {
    const [first, last] = [this.#leaves[0], this.#leaves.at(-1)];
    return first !== undefined && last !== undefined && leaf.first >= first.first && leaf.first <= last.first;
  }

  /** What the leaves say; as one where it is asked for again. */
  get members(): readonly Members[] {
    if (this.#isAskedAgain && this.parts.length > 0) return [(this.#joined ??= new Joined(this.parts))];
    this.#isAskedAgain = true;
    return this.parts;
  }
}

/** Several one after the other. */
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
