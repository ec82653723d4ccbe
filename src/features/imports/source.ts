import type { Report } from './report.ts';

/** An archive as the importer reads it, whatever product it is from. */
export interface Source {
  /** The value in a JSON file; undefined where there is none. */
  json(path: string): Promise<unknown>;
  /** Names of the files with messages, in their order. */
  messageFiles(): Promise<readonly string[]>;
  /** The bytes of a file; undefined where there is none. */
  open(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** What opening it has reported already. */
  readonly report?: Report;
  /** Releases what it holds, after it was read. */
  close?(): Promise<void>;
}

/** Reads an archive and closes it, whether or not reading fails. */
export async function reading<T>(source: Source, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } finally {
    await source.close?.();
  }
}

/** The files of an archive of another product, as far as they are needed. Paths lead nowhere outside of it. */
export interface ArchiveFiles extends Pick<Source, 'json' | 'open'> {
  /** Whether there is such a file. */
  has(path: string): Promise<boolean>;
  /** Names of what is in a folder, '' for the outermost; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Bytes of a file; fewer where it ends before. */
  part(path: string, from: number, length: number): Promise<Uint8Array>;
  /** Opens a file for data that is read more than once; it is gone when the process ends. */
  scratch(): Promise<Scratch>;
}

/** A file that only grows. */
export interface Scratch {
  /** Appends bytes; returns their offset. */
  append(bytes: Uint8Array): Promise<number>;
  read(from: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}
