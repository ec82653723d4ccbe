/** An archive as the importer reads it, whatever it is made of. */
export interface Source {
  /** The value in a JSON file; undefined where there is none. */
  json(path: string): Promise<unknown>;
  /** Names of the files with messages, in their order. */
  messageFiles(): Promise<readonly string[]>;
  /** The bytes of a file; undefined where there is none. */
  open(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
}
