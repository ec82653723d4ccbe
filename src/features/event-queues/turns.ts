/** Runs a piece of work when its turn has come. */
type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Opens a line of work in which at most `most` pieces run at once; the others wait in order. */
export function openTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
