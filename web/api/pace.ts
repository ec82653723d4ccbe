import type { Clock } from './clock.ts';

/** Runs what it is given at once, and then the newest of what came meanwhile, at most once in so many milliseconds. */
export function paced(clock: Clock, ms: number): (run: () => void) => void {
  let next: (() => void) | undefined;
  let isResting = false;
  const go = (run: () => void) => {
    run();
    isResting = true;
    void clock.sleep(ms).then(() => {
      isResting = false;
      if (next) go(next);
    });
    next = undefined;
  };
  return (run) => {
    if (isResting) next = run;
    else go(run);
  };
}
