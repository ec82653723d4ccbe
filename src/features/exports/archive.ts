/** Where an export is written to, a file after the other. */
export interface Archive {
  /**
   * Stores all bytes of `source` under a path with `/` between its parts; `size` is their number where it is known. While
   * one without a size is written, others may be.
   */
  write(path: string, source: AsyncIterable<Uint8Array>, size?: number): Promise<unknown>;
  /** How many files may be written at once, if their sizes are known or none needs another; absent: one. */
  readonly atOnce?: number;
}
