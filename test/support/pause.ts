import { stayFor } from '#kernel/clock';

/** Waits in real time, between two checks of a third party's program; Roost's own code is awaited by its events. */
export function pause(ms: number): Promise<void> {
  return stayFor(ms);
}
