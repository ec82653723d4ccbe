import type { Readable } from 'node:stream';

/** Bytes to store, all at once or as they come. A stream is read to its end, or destroyed when storing fails. */
export type ByteSource = Uint8Array | AsyncIterable<Uint8Array>;

/** Part of a file, in bytes from 0; `end` is included and may lie beyond the file. Absent `end`: to the end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** An opened file. `size` is the whole file's; `stream` gives `length` bytes from `start` and must be read or destroyed. */
export interface OpenedFile {
  readonly size: number;
  readonly start: number;
  readonly length: number;
  readonly stream: Readable;
}

/** A file as a listing shows it. */
export interface ListedFile {
  readonly key: string;
  readonly size: number;
  /** When its bytes were stored, in milliseconds since 1970. */
  readonly storedAtMs: number;
}

/**
 * Bytes under keys, wherever they are kept. A key is one to `MAX_KEY_BYTES` bytes of folders and a name between slashes
 * (`keys.ts`); a key never is a folder of another one. Always: a key shows either all bytes of one put or none.
 */
export interface Files {
  /** Stores all bytes of `source` under `key`, replacing what was there, and gives their number. Durable when it returns. */
  put(key: string, source: ByteSource): Promise<number>;
  /** As `put`, from a finished local file, which is gone afterwards. */
  putFile(key: string, path: string): Promise<number>;
  /** Opens a file or a range of it; undefined when there is none. A range outside the file is `RangeUnsatisfiable`. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** The number of bytes under `key`; undefined when there is no such file. */
  size(key: string): Promise<number | undefined>;
  /** Removes a file; that there is none is a success. */
  remove(key: string): Promise<void>;
  /** Every file whose key begins with `prefix`, in no promised order, read as it is asked for. */
  list(prefix: string): AsyncIterable<ListedFile>;
  /** Removes what puts begun before `beforeMs` (milliseconds since 1970) and never finished left behind; gives their number. */
  sweepUnfinished(beforeMs: number): Promise<number>;
  /** Throws the reason when files cannot be stored or read now. Ends within seconds. */
  checkHealth(): Promise<void>;
}

/** The range asked for lies outside the file, or is none. */
export class RangeUnsatisfiable extends Error {
  override readonly name = 'RangeUnsatisfiable';
}

/** Throws `RangeUnsatisfiable` for what is no range of any file. */
export function assertRange({ start, end = start }: ByteRange): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start;
  if (!isRange) throw new RangeUnsatisfiable('not a range of bytes');
}
