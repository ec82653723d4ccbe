import { hash } from 'node:crypto';
import type { RawRow } from '../dialects/whole-tables.ts';

/** The number of rows and a checksum of them. */
export interface Checksum {
  readonly rows: number;
  readonly sum: string;
}

/**
 * Computes a checksum of rows. If they are ordered (`isOrdered`), pages are hashed, which must be the same on both
 * sides; otherwise single rows, regardless of their order.
 */
export class RowSum {
  readonly #isOrdered: boolean;
  #rows = 0;
  readonly #parts = new Uint32Array(4);

  constructor(isOrdered: boolean) {
    this.#isOrdered = isOrdered;
  }

  add(rows: readonly RawRow[]): void {
    if (this.#isOrdered) this.#addText(`${this.#rows} ${JSON.stringify(rows)}`);
    else for (const row of rows) this.#addText(JSON.stringify(row));
    this.#rows += rows.length;
  }

  get value(): Checksum {
    return { rows: this.#rows, sum: Buffer.from(this.#parts.buffer).toString('hex') };
  }

  #addText(text: string): void {
    const digest = hash('sha256', text, 'buffer');
    for (let part = 0; part < 4; part++) this.#parts[part] = (this.#parts[part] ?? 0) + digest.readUInt32LE(part * 4);
  }
}
