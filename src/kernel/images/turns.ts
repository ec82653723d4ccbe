/** Does one piece of work after the other. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Opens a line of work, in which each waits for the one before it, whether that succeeded or not. */
export function openTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
