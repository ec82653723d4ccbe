import type { ArchiveFiles } from '../source.ts';
import { recordAt, recordsOf } from './records.ts';

interface Chunk {
  readonly number: number;
  readonly from: number;
  readonly bytes: number;
}

/** Files that MongoDB keeps in pieces: a bucket of GridFS. */
export class Bucket {
  readonly name: string;
  readonly #files: ArchiveFiles;
  readonly #path: string;
  readonly #chunks = new Map<string, Chunk[]>();

  private constructor(files: ArchiveFiles, folder: string, name: string) {
    this.name = name;
    this.#files = files;
    this.#path = `${folder}${name}.chunks.bson`;
  }

  /** Notes where the pieces of each file are. Only a dump has them. */
  static async open(files: ArchiveFiles, folder: string, name: string): Promise<Bucket> {
    const bucket = new Bucket(files, folder, name);
    if (!(await files.has(bucket.#path))) return bucket;
    for await (const { entry, from, bytes } of recordsOf(files, folder, `${name}.chunks`)) {
      const chunk = { number: entry.int('n', 0), from, bytes };
      const id = entry.text('files_id');
      const known = bucket.#chunks.get(id);
      if (known) known.push(chunk);
      else bucket.#chunks.set(id, [chunk]);
    }
    return bucket;
  }

  /** How a file of the bucket is named among all; undefined where it has none of that ID. */
  pathOf(id: string): string | undefined {
    return this.#chunks.has(id) ? `${this.name}\n${id}` : undefined;
  }

  async *#pieces(chunks: readonly Chunk[]): AsyncGenerator<Uint8Array> {
    for (const { from, bytes } of chunks.toSorted((a, b) => a.number - b.number)) {
      const data = (await recordAt(this.#files, this.#path, from, bytes)).raw('data');
      if (data instanceof Uint8Array) yield data;
    }
  }

  async read(id: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const chunks = this.#chunks.get(id);
    return chunks && this.#pieces(chunks);
  }
}
