/**
 * Waits for works in a transaction that do not need each other's answers: PostgreSQL gets their statements without a pause
 * between them. Where one fails, it ends when all have ended: none may run on after its transaction. The failure that came
 * first is thrown, because it may be why the others failed.
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
