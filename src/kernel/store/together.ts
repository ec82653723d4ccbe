/**
 * Waits for concurrent work in a transaction: PostgreSQL gets the statements without a pause in between. If one fails,
 * waits for all before throwing, because none may continue after its transaction. Throws the first failure, which may
 * be the cause of the others.
 */
export async function together<const T extends readonly Promise<unknown>[]>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  try {
    return await Promise.all(works);
  } catch (error) {
    await Promise.allSettled(works);
    throw error;
  }
}
