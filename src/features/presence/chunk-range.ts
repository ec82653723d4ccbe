import { combined, type Packed } from '#kernel/gzip';
import type { Form, Chunk, Members, ChunkText } from './chunk.ts';
import type { RealmPeople } from './people.ts';

/**
 * Neighbouring full chunks, with their text for everybody who may know of all people. Dozens of clients that ping in
 * turn need the same chunks; looking at each chunk and writing its text every time would take longer than everything
 * else about a ping.
 */
export class ChunkRange {
  /** The texts of the chunks that have members. */
  readonly parts: readonly ChunkText[];
  /** The newest update in them; undefined if they have no members. */
  readonly newest: number | undefined;
  /** The earliest last connection of a person in them, in seconds since 1970. */
  readonly oldest: number;
  readonly #chunks: readonly Chunk[];
  readonly #people: RealmPeople;
  #isAskedAgain = false;
  #joined: Joined | undefined;

  constructor(chunks: readonly Chunk[], people: RealmPeople, form: Form) {
    this.#chunks = chunks;
    this.#people = people;
    this.parts = chunks.map((chunk) => chunk.shared(people, form)).filter(({ newest }) => newest !== undefined);
    this.newest = this.parts.at(-1)?.newest;
    this.oldest = this.parts.reduce((time, { oldest }) => Math.min(time, oldest), Number.POSITIVE_INFINITY);
  }

  /** Whether the range has exactly these chunks; the caller ensures that none of its chunks has changed. */
  isOf(chunks: readonly Chunk[], people: RealmPeople): boolean {
    const isSame = chunks[0] === this.#chunks[0] && chunks.at(-1) === this.#chunks.at(-1);
    return isSame && chunks.length === this.#chunks.length && people === this.#people;
  }

  /** Whether a chunk belongs to the range. */
  has(chunk: Chunk): boolean {
    const [first, last] = [this.#chunks[0], this.#chunks.at(-1)];
    return first !== undefined && last !== undefined && chunk.first >= first.first && chunk.first <= last.first;
  }

  /** The texts of the chunks; joined from the second call on. */
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
