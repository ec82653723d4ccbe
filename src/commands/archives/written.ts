import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Archive } from '#features/exports';
import { isFileKey } from '#kernel/files';
import { inChunks } from '#kernel/store';
import { sync } from '../backups/copy.ts';

/** Private messages lie there: for their owner only. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Files that are written at once: writing one at a time, most of the time is spent waiting for the disk. */
const AT_ONCE = 8;

/** An archive that is written into a new folder. Somebody else says whether it is whole. */
export class FolderArchive implements Archive {
  readonly atOnce = AT_ONCE;
  readonly #root: string;
  readonly #folders = new Map<string, Promise<unknown>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Writes a file; when it resolves, the disk has its bytes. */
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

  /** Makes the names of all files survive a power cut, too: once, and not for each file. */
  async settle(): Promise<void> {
    for (const some of inChunks([...this.#folders.keys()], AT_ONCE))
      await Promise.all(some.map(async (folder) => sync(folder)));
  }

  /** Makes a folder and those around it, each once. */
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
