import { Readable } from 'node:stream';
import type { ByteSource } from './files.ts';

/** Cuts a source into pieces of exactly `bytes` bytes, the last one shorter. At least one, which is empty for no bytes. */
export async function* inParts(source: ByteSource, bytes: number): AsyncGenerator<Uint8Array, undefined> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(source)) {
    for (let from = 0; from < chunk.length; ) {
      if (size === bytes) {
        yield Buffer.concat(held);
        held = [];
        size = 0;
      }
      const piece = chunk.subarray(from, from + bytes - size);
      held.push(piece);
      size += piece.length;
      from += piece.length;
    }
  }
  yield Buffer.concat(held);
  return undefined;
}

async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) yield source;
  else yield* source;
}

/** Runs `work`, which stores a source; a stream that was not stored is destroyed, so that its sender does not wait. */
export async function orDestroy<T>(source: ByteSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (source instanceof Readable) source.destroy();
    throw error;
  }
}
