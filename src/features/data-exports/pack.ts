import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Archive } from '#features/exports';
import type { Files } from '#kernel/files';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

interface PackOptions {
  /** Where the archive is stored. */
  readonly to: Files;
  readonly key: string;
  /** Temporary storage for a file until its size is known: a folder of this machine, and the key in it. */
  readonly spool: Files;
  readonly spoolKey: string;
  /** Folder in the archive. */
  readonly root: string;
  /** Modification time of the archive's files, in seconds since 1970. */
  readonly time: number;
  /** Called before each file and each page of a file; throws to cancel. */
  readonly step: () => Promise<void>;
}

/**
 * Stores an archive (`.tar.gz`) while it is being made, with only a chunk of it in memory. If making or storing it
 * fails, nothing is stored.
 */
export async function packTo<T>(options: PackOptions, make: (archive: Archive) => Promise<T>): Promise<T> {
  const { to, key, spool, spoolKey, root, time, step } = options;
  const gzip = createGzip();
  // `storing` reports the error; without a listener here, it would end the process.
  gzip.on('error', () => undefined);
  const storing = to.put(key, gzip);
  // Rejects if storing fails, so that writers who wait for `drain` stop waiting.
  const failed = storing.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) => Promise.reject(error),
  );
  failed.catch(() => undefined);
  const send = async (bytes: Uint8Array) => {
    if (gzip.destroyed) await failed;
    if (bytes.length > 0 && !gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), failed]);
  };
  const append = async (path: string, size: number, source: AsyncIterable<Uint8Array>) => {
    try {
      await step();
      await send(tarHeader(`${root}/${path}`, size, time));
      let sent = 0;
      for await (const bytes of source) {
        sent += bytes.length;
        await send(bytes);
      }
      if (sent !== size) throw new Error(`${path} has ${sent} bytes instead of ${size}`);
      await send(tarPadding(size));
    } catch (error) {
      // A file that was opened and is not read would stay open.
      if (source instanceof Readable) source.destroy();
      throw error;
    }
  };
  try {
    const made = await make({
      write: async (path, source, size) => {
        if (size !== undefined) return append(path, size, source);
        const place = `${spoolKey}/${path}`;
        await spool.put(place, stepped(source, step));
        const opened = await spool.open(place);
        if (!opened) throw new Error(`${path} is no longer in the spool`);
        await append(path, opened.size, opened.stream);
        await spool.remove(place);
      },
    });
    await send(TAR_END);
    gzip.end();
    await storing;
    return made;
  } catch (error) {
    gzip.destroy(error instanceof Error ? error : new Error('the export was ended'));
    await storing.catch(() => undefined);
    throw error;
  }
}

async function* stepped(source: AsyncIterable<Uint8Array>, step: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    await step();
    yield bytes;
  }
}
