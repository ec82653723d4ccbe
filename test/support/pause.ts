import { stayFor } from '#kernel/clock';

/** Waits in real time, between two looks at a program of somebody else's; our own code is waited for by its events. */
export function pause(ms: number): Promise<void> {
  return stayFor(ms);
}
