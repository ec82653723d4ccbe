import type { Clock } from './clock.ts';

/** How often something is done, in milliseconds from the end of one time to the next, and who hears that it failed. */
interface Rhythm {
  readonly everyMs: number;
  /** Milliseconds until the first time; `everyMs` when absent. */
  readonly firstMs?: number;
  readonly failed: (error: unknown) => void;
}

/** Does something now and then, never twice at once. Returns what ends this, which waits for what is under way. */
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

/** Seconds until the next try; half of them at random, so that those who failed together do not come back together. */
export function backOff(clock: Pick<Clock, 'random'>, tries: number, { first, last }: Pauses): number {
  const pause = Math.min(last, first * 2 ** tries);
  return Math.ceil(pause * (0.5 + clock.random() / 2));
}
