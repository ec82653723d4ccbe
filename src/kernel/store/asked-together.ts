/**
 * A query that simultaneous callers share: a caller that comes while it is under way waits for the next one,
 * so that the answer is never older than the asking. Those whose bytes arrive in one turn of the event loop ask once.
 */
export function askedTogether<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = async (): Promise<T> => {
    await Promise.allSettled([running]);
    await new Promise(setImmediate);
    next = undefined;
    const answer = ask();
    running = answer;
    return answer;
  };
  return () => (next ??= begin());
}
