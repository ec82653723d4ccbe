import { isResponse, partAt } from './shapes.ts';

/** Most bytes before a message whose length is not known yet. */
const MAX_HEAD = 6;

/**
 * Puts together what arrives from a directory into whole messages. Throws for what is no response of a directory.
 */
export class Messages {
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes of the message that arrives; undefined while its length is not known. */
  #wanted: number | undefined;

  /** Whether a part of a message has arrived. */
  get hasRest(): boolean {
    return this.#size > 0;
  }

  /** The messages that are whole now. */
  *take(chunk: Buffer): Generator<Buffer> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      // The chunks are joined to find the length, and when all of a message is there: not for each chunk.
      if (this.#wanted === undefined && this.#size > 1) this.#wanted = partAt(this.#joined(), 0)?.to;
      if (this.#wanted === undefined && this.#size >= MAX_HEAD) throw new Error('no length');
      if (this.#wanted === undefined || this.#size < this.#wanted) return;
      const all = this.#joined();
      const message = all.subarray(0, this.#wanted);
      this.#chunks = [all.subarray(this.#wanted)];
      this.#size -= this.#wanted;
      this.#wanted = undefined;
      if (!isResponse(message)) throw new Error('no response');
      yield message;
    }
  }

  #joined(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.#chunks;
    if (more.length === 0) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
