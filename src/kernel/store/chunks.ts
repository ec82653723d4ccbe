/** Splits `items` into slices of at most `size`, for statements with a limited number of parameters. */
export function inChunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

/** Works on `items` in slices of at most `size`, one after the other, and lets other work run in between. */
export async function inParts<T, R>(
  items: readonly T[],
  size: number,
  work: (some: readonly T[]) => Promise<R>,
): Promise<readonly R[]> {
  const done: R[] = [];
  for (const some of inChunks(items, size)) {
    if (done.length > 0) await new Promise(setImmediate);
    done.push(await work(some));
  }
  return done;
}
