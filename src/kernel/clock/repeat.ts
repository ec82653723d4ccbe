import type { Clock } from './clock.ts';

/** How often a task runs, in milliseconds from the end of one run to the next, and who is told of failures. */
interface Rhythm {
  readonly everyMs: number;
  /** Milliseconds until the first time; `everyMs` when absent. */
  readonly firstMs?: number;
  readonly failed: (error: unknown) => void;
}

/** Runs a task now and then, never twice at once. Returns a function that stops it and waits for the current run. */
export function repeat(
  clock: Pick<Clock, 'after'>,
  task: () => Promise<void>,
  { everyMs, firstMs = everyMs, failed }: Rhythm,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const turn = () => {
    running = task()
      .catch(failed)
      .then(() => {
        if (!isStopped) timer = clock.after(everyMs, turn);
      });
  };
  let timer = clock.after(firstMs, turn);
  return async () => {
    isStopped = true;
    timer.cancel();
    await running;
  };
}

/** Seconds of the first pause between two tries, and of the longest. */
interface Pauses {
  readonly first: number;
  readonly last: number;
}

/** Seconds until the next attempt; half of them random, so that clients that failed together do not return together. */
export function backOff(clock: Pick<Clock, 'random'>, tries: number, { first, last }: Pauses): number {
  const pause = Math.min(last, first * 2 ** tries);
  return Math.ceil(pause * (0.5 + clock.random() / 2));
}
