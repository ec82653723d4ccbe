import type { Clock } from './clock.ts';

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
