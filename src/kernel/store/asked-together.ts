/**
 * Shares one query among simultaneous callers. A caller that arrives while it runs waits for the next run, so that a
 * result is never older than the call. Callers in the same turn of the event loop share a run.
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
