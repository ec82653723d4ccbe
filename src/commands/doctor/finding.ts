import type { Clock } from '#kernel/clock';
import { reasonOf } from '../refusal.ts';

/** Milliseconds a check gets; the integrity of a large database takes the longest. */
const LIMIT_MS = { database: 600_000, other: 20_000 } as const;

/** What a check found, on one line: good, good to know, or wrong. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'FAIL';
  readonly about: string;
  readonly says: string;
}

const finding =
  (state: Finding['state']) =>
  (about: string, says: string): Finding => ({ state, about, says });
export const ok = finding('ok');
export const note = finding('note');
export const failed = finding('FAIL');

/** What a check finds; one that throws, or does not end in time, has found a fault. */
export async function findingsOf(about: string, clock: Clock, check: () => Promise<Finding[]>): Promise<Finding[]> {
  const limit = about === 'database' ? LIMIT_MS.database : LIMIT_MS.other;
  const late = new Promise<Finding[]>((resolve) => {
    clock.after(limit, () => resolve([failed(about, `no answer within ${limit / 1000} seconds`)]));
  });
  return Promise.race([check(), late]).catch((error: unknown) => [failed(about, reasonOf(error))]);
}
