/**
 * Waits for works in a transaction that do not need each other's answers: PostgreSQL gets their statements without a pause
 * between them. Ends when all have ended, also where one fails: none may run on after its transaction.
 */
export async function together<const T extends readonly Promise<unknown>[]>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
