import { backOff, type Clock } from '#kernel/clock';

/** Times that a notification is brought to a push service before it is given up: about a day. */
export const MAX_TRIES = 12;

/** Seconds until the next try. */
export function pauseAfter(clock: Pick<Clock, 'random'>, tries: number): number {
  return backOff(clock, tries, { first: 4, last: 3_600 });
}
