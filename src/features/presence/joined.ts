import { combined, type Packed } from '#kernel/gzip';

/** Members of a JSON object, each after a comma, as bytes and compressed. */
export interface Members {
  readonly text: Buffer;
  readonly packed: Promise<Packed>;
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

/**
 * Makes one text of many for those who are told the same ones after each other, as some dozens in a row are who ping in
 * turn: to write eighty pieces takes longer than everything else about a ping.
 */
export class Joiner {
  #latest: readonly Members[] = [];
  #joined: Joined | undefined;

  /** The same members; as one where they were asked for just before. */
  join(parts: readonly Members[]): readonly Members[] {
    if (parts.length < 2) return parts;
    if (isSame(parts, this.#latest)) {
      this.#joined ??= new Joined(parts);
      return [this.#joined];
    }
    this.#latest = parts;
    this.#joined = undefined;
    return parts;
  }
}

function isSame(some: readonly Members[], others: readonly Members[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}
