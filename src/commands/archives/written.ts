import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Archive } from '#features/exports';
import { isFileKey } from '#kernel/files';
import { inChunks } from '#kernel/store';
import { sync } from '../backups/copy.ts';

/** Readable by their owner only: the files contain private messages. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Files that are written concurrently: each mostly waits for the disk. */
const AT_ONCE = 8;

/** Writes an archive into a new folder. The caller marks whether it is complete. */
export class FolderArchive implements Archive {
  readonly atOnce = AT_ONCE;
  readonly #root: string;
  readonly #folders = new Map<string, Promise<unknown>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Writes a file; resolves when its bytes are on the disk. */
  async write(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      if (!isFileKey(path)) throw new Error('a file of the export would lie outside of it');
      const file = join(this.#root, path);
      await this.#make(dirname(file));
      const handle = await open(file, 'wx', FILE_MODE);
      try {
        await writeFile(handle, source);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (source instanceof Readable) source.destroy();
      throw error;
    }
  }

  /** Flushes the folders, so that the names of all files survive a power failure, too: once, and not for each file. */
  async settle(): Promise<void> {
    for (const some of inChunks([...this.#folders.keys()], AT_ONCE))
      await Promise.all(some.map(async (folder) => sync(folder)));
  }

  /** Creates a folder and its parents, each once. */
  #make(folder: string): Promise<unknown> {
    const known = this.#folders.get(folder);
    if (known) return known;
    const made = folder === this.#root ? Promise.resolve() : this.#makeIn(folder);
    this.#folders.set(folder, made);
    return made;
  }

  async #makeIn(folder: string): Promise<void> {
    await this.#make(dirname(folder));
    await mkdir(folder, { mode: FOLDER_MODE });
  }
}
