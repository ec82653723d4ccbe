import type { Clock } from './clock.ts';

/** Calls the first function at once, and of further ones only the newest, at most once per `ms` milliseconds. */
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
