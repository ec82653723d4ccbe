import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scratch } from '#features/imports';
import { inTemporary } from './temporary.ts';

/** Bytes that are buffered before they are written. */
const BUFFER = 2 ** 20;

/** Opens a temporary file without a name, which the system deletes when the process ends for any reason. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'roost-scratch-'));
  const file = await open(join(folder, 'scratch'), 'wx+', 0o600);
  await rm(folder, { recursive: true });
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let written = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await inTemporary(() => file.write(bytes, done, bytes.length - done, written));
      done += bytesWritten;
      written += bytesWritten;
    }
  };
  return {
    append: async (bytes) => {
      const at = written + waitingBytes;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= BUFFER) await flush();
      return at;
    },
    read: async (from, length) => {
      if (from + length > written) await flush();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}
