import type { Clock } from '#kernel/clock';
import { reasonOf } from '../refusal.ts';

/** Timeout of a check in milliseconds; checking a large database's integrity takes longest. */
const LIMIT_MS = { database: 600_000, other: 20_000 } as const;

/** One line of a check's result: fine, a remark, or a fault. */
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

/** Runs a check; an error or a timeout is reported as a fault. */
export async function findingsOf(about: string, clock: Clock, check: () => Promise<Finding[]>): Promise<Finding[]> {
  const limit = about === 'database' ? LIMIT_MS.database : LIMIT_MS.other;
  const late = new Promise<Finding[]>((resolve) => {
    clock.after(limit, () => resolve([failed(about, `no answer within ${limit / 1000} seconds`)]));
  });
  return Promise.race([check(), late]).catch((error: unknown) => [failed(about, reasonOf(error))]);
}
