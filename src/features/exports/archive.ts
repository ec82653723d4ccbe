/** Where an export is written to, a file after the other. */
export interface Archive {
  /** Stores all bytes of `source` under a path with `/` between its parts. */
  write(path: string, source: AsyncIterable<Uint8Array>): Promise<unknown>;
}
