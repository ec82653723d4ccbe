/** Where an export is written to, a file after the other. */
export interface Archive {
  /**
   * Stores all bytes of `source` under a path with `/` between its parts; `size` is their number where it is known. While
   * one without a size is written, others may be.
   */
  write(path: string, source: AsyncIterable<Uint8Array>, size?: number): Promise<unknown>;
  /** How many of a size that is known, or of which none needs the other, may be written at once; absent: one. */
  readonly atOnce?: number;
}
