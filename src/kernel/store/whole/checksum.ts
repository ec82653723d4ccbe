import { createHash } from 'node:crypto';
import type { RawRow } from '../dialects/whole-tables.ts';

/** What rows are compared by: how many there are, and a sum over all of them in which their order does not count. */
export interface Checksum {
  readonly rows: number;
  readonly sum: string;
}

/** Sums up rows as they come. */
export class RowSum {
  #rows = 0;
  readonly #parts = new Uint32Array(4);

  add(rows: readonly RawRow[]): void {
    for (const row of rows) {
      const digest = createHash('sha256').update(JSON.stringify(row)).digest();
      for (let part = 0; part < 4; part++) this.#parts[part] = (this.#parts[part] ?? 0) + digest.readUInt32LE(part * 4);
    }
    this.#rows += rows.length;
  }

  get value(): Checksum {
    return { rows: this.#rows, sum: Buffer.from(this.#parts.buffer).toString('hex') };
  }
}
